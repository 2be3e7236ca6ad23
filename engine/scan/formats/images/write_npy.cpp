// NumPy's format: a header, then the pixels.
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {

void writeNpy(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress) {
  const bool complex = options.part == ComplexPart::complex;
  const std::string type = image.isDouble() ? (complex ? "<c16" : "<f8") : (complex ? "<c8" : "<f4");
  const std::string header = npyHeaderText(type, {image.frames, image.size[2], image.size[1], image.size[0]});
  ByteSink sink(file.temporary, file.target, false);
  sink.write(header.data(), header.size());
  writePixels(image, sink, options.part, progress);
  sink.close();
}

}  // namespace spokelab
