// NumPy's format, version 1.0: magic, length, a Python dictionary padded to 64 bytes, pixels.
#include "engine/scan/formats/images/byte_sink.h"
#include "engine/scan/formats/images/image_writers.h"
#include "engine/scan/formats/images/write_pixels.h"

namespace spokelab {

void writeNpy(const Image& image, const ImageFile& file, const WriteOptions& options,
              const Progress& progress) {
  constexpr std::size_t alignment = 64, preamble = 10;
  const std::string type = options.part == ComplexPart::complex ? "<c8" : "<f4";
  std::string dictionary = "{'descr': '" + type + "', 'fortran_order': False, 'shape': (" +
                           std::to_string(image.frames) + ", " + std::to_string(image.size[2]) + ", " +
                           std::to_string(image.size[1]) + ", " + std::to_string(image.size[0]) + "), }";
  const std::size_t length = preamble + dictionary.size() + 1;
  dictionary.append((alignment - length % alignment) % alignment, ' ');
  dictionary += '\n';

  const std::size_t size = dictionary.size();
  std::string header = "\x93NUMPY";
  header += {char(1), char(0), char(size % 256), char(size / 256)};
  header += dictionary;
  ByteSink sink(file.temporary, file.target, false);
  sink.write(header.data(), header.size());
  writePixels(image, sink, options.part, progress);
  sink.close();
}

}  // namespace spokelab
