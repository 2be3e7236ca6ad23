// BART's pair: .hdr (text: sizes, x fastest) and .cfl (complex64). Axes of the image in BART's
// numbering: x, y, z at 0 to 2, frames at 10 (time), slices of 2-D scans at 13.
#include <vector>

#include "engine/scan/formats/images/cfl_pair.h"
#include "engine/scan/formats/images/image_writers.h"

namespace spokelab {

void writeCfl(const Image& image, const std::filesystem::path& target, const Progress& progress) {
  constexpr std::size_t axes = 16, timeAxis = 10, sliceAxis = 13;
  std::vector<std::int64_t> sizes(axes, 1);
  const bool slices = image.geometry.matrix[2] == 1 && image.size[2] > 1;
  sizes[0] = image.size[0];
  sizes[1] = image.size[1];
  sizes[slices ? sliceAxis : 2] = image.size[2];
  sizes[timeAxis] = image.frames;
  const std::string creator = image.provenance.empty() ? "Spokelab" : image.provenance.front();
  const auto writeValues = [&](ByteSink& sink) {
    if (!slices || image.frames == 1) {
      for (int f = 0; f < image.frames; ++f) {
        progress.report(double(f) / image.frames, "Writing");
        sink.write(image.frame(f), std::size_t(image.volume()) * sizeof(cfloat));
      }
      return;
    }
    // Slices are slower than frames there.
    const std::int64_t pixels = image.size[0] * image.size[1];
    for (std::int64_t z = 0; z < image.size[2]; ++z)
      for (int f = 0; f < image.frames; ++f) {
        progress.report(double(z) / double(image.size[2]), "Writing");
        sink.write(image.frame(f) + z * pixels, std::size_t(pixels) * sizeof(cfloat));
      }
  };
  writeCflPair(target, sizes, creator, writeValues, progress);
}

}  // namespace spokelab
