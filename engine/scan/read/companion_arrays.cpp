#include "engine/scan/read/companion_arrays.h"

#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_file.h"

namespace spokelab {

void readNamedArrays(const ScanDescription& s, Scan& scan, Decisions& d, const Progress& progress) {
  for (const auto& [name, part] : s.arrays) {
    const ArrayFile file(s.folder / part.file);
    NamedArray array;
    array.name = name;
    array.shape = rowMajorShape(file.header());
    array.complex = isComplex(file.header().type);
    array.values = file.readAll(progress, "Reading " + name);
    d.note("array " + name, shapeText(array.shape),
           part.file.string() + ", " + elementName(file.header().type));
    scan.arrays.push_back(std::move(array));
  }
}

}  // namespace spokelab
