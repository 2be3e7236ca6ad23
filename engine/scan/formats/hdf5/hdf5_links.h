// External links of HDF5 files: names in one file whose contents lie in another, which the library
// follows without a word. Callers hold Hdf5Lock.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {

// The places to which external links may lead: the file's folder and below, or anywhere.
// `onlyFolder` differs from `folder` in its Error alone, which does not offer the decision
// external-links: the caller has no such option.
enum class LinkReach : std::uint8_t { folder, onlyFolder, anywhere };

struct LinkedFiles {
  std::vector<std::string> links;  // in words: "dataset/data in other.h5"
  std::uint64_t bytes = 0;         // of the files that they lead to, each counted once
};

// The external links of an open file, and of the files that they lead to. Throws Error if a link
// leads out of the folder (also through links of the file system) without permission, or to a
// missing file.
LinkedFiles checkedLinks(hid_t h5, const std::filesystem::path& file, LinkReach reach);
// The same for a library that opens the file itself; a file that is not HDF5 has no links.
void checkLinksOf(const std::filesystem::path& file);

}  // namespace spokelab
