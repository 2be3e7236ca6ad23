#include "engine/scan/read/description/described_shapes.h"

#include "engine/core/error.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {

std::map<std::string, ArrayHeader> describedShapes(const ScanDescription& description) {
  std::map<std::string, ArrayHeader> shapes;
  for (const ArrayPart& part : description.parts()) {
    try {
      shapes[part.file.string()] = ArrayFile(description.folder / part.file, part.shape).header();
    } catch (const Error&) {  // ISMRMRD files and other formats with a meaning of their axes
    }
  }
  return shapes;
}

ScanDescription withAbsoluteFiles(ScanDescription d) {
  const auto move = [&d](ArrayPart& part) { part.file = std::filesystem::absolute(d.folder / part.file); };
  move(d.samples);
  for (ArrayPart& part : d.trajectory) move(part);
  for (auto* part : {&d.weights, &d.times, &d.noise})
    if (*part) move(**part);
  for (auto& [name, part] : d.arrays) move(part);
  return d;
}

}  // namespace spokelab
