#include "engine/scan/read/separate/given_noise.h"

#include <algorithm>
#include <string>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_file.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "engine/scan/formats/file_kind.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

// The first or the last axis of the coils' size, or one list of a single coil.
Buffer<cfloat> fromArray(const fs::path& file, int coils, const std::string& problem,
                         const Progress& progress) {
  const ArrayFile array(file);
  const std::vector<std::int64_t> shape = rowMajorShape(array.header());
  const bool outer = shape.front() == coils, inner = shape.back() == coils;
  if (!outer && !inner && coils > 1)
    throw Error(problem,
                "its shape is " + shapeText(shape) + ", and the scan has " + countText(coils, "coil") +
                    ": neither its first nor its last axis has that size",
                "Save it as [coil, sample]");
  const Buffer<cfloat> all = array.readAll(progress, "Reading noise");
  if (outer || coils == 1) return all;
  const std::int64_t samples = std::int64_t(all.size()) / coils;
  Buffer<cfloat> turned(all.size());
  for (std::int64_t c = 0; c < coils; ++c)
    for (std::int64_t n = 0; n < samples; ++n)
      turned[std::size_t(c * samples + n)] = all[std::size_t(n * coils + c)];
  return turned;
}

Buffer<cfloat> fromAcquisitions(const fs::path& file, int coils, const std::string& problem,
                                const Progress& progress) {
  AcquisitionFile source(file, fileKind(file) == FileKind::twix ? "" : "dataset", progress);
  std::vector<std::int64_t> wanted, first;
  std::int64_t total = 0;
  for (std::size_t i = 0; i < source.heads().size(); ++i) {
    const AcquisitionHead& head = source.heads()[i];
    const bool noise = (head.flags >> (ISMRMRD::ISMRMRD_ACQ_IS_NOISE_MEASUREMENT - 1)) & 1;
    if (!noise || head.active_channels != coils) continue;
    wanted.push_back(std::int64_t(i));
    first.push_back(total);
    total += head.number_of_samples;
  }
  if (total == 0)
    throw Error(problem, "it holds no noise acquisitions of " + countText(coils, "coil"),
                "Choose the noise scan of the same coils");
  Buffer<cfloat> noise(std::size_t(total * coils));
  source.read(AcquisitionMember::data, wanted, "Reading noise", progress,
              [&](std::size_t i, const float* values) {
                const std::int64_t count = source.heads()[std::size_t(wanted[i])].number_of_samples;
                const auto* const all = reinterpret_cast<const cfloat*>(values);
                for (std::int64_t c = 0; c < coils; ++c)
                  std::copy_n(all + c * count, count, noise.begin() + c * total + first[i]);
              });
  return noise;
}

}  // namespace

Buffer<cfloat> readGivenNoise(const fs::path& file, int coils, Decisions& d, const Progress& progress) {
  const std::string problem = "Cannot read the noise " + file.string();
  const FileKind kind = fileKind(file);
  if (!isArrayKind(kind) && kind != FileKind::hdf5 && kind != FileKind::stream && kind != FileKind::twix)
    throw Error(problem, "it is " + kindName(kind),
                "Choose an array [coil, sample], an ISMRMRD file or raw data of a Siemens scanner");
  Buffer<cfloat> noise = isArrayKind(kind) ? fromArray(file, coils, problem, progress)
                                           : fromAcquisitions(file, coils, problem, progress);
  if (!allFinite(noise.data(), std::int64_t(noise.size())))
    throw Error(problem, "some of its numbers are not finite",
                "Repair them in the program that wrote the file");
  d.note("noise", file.filename().string(),
         std::to_string(std::int64_t(noise.size()) / coils) + " samples a coil, from a separate file");
  return noise;
}

}  // namespace spokelab
