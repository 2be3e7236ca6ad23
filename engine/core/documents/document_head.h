// The beginning of a JSON document (document.h), cut anywhere: enough to tell the kind.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace spokelab {

// The texts that the outermost object has under these keys, until all are found or `start` ends.
std::map<std::string, std::string> textsOfHead(const std::string& start,
                                               const std::vector<std::string>& keys);

}  // namespace spokelab
