// Shapes of the arrays that a description names, for those who name the axes.
#pragma once

#include <map>
#include <string>

#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/read/description/scan_description.h"

namespace spokelab {

// Shapes by the file's name in the description. Files whose header cannot be read are missing.
std::map<std::string, ArrayHeader> describedShapes(const ScanDescription& description);
// The same description with files that are found from any folder.
ScanDescription withAbsoluteFiles(ScanDescription description);

}  // namespace spokelab
