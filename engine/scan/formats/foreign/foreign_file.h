// Files of other kinds that people try to open: scanners' raw data, sequences, pictures for
// doctors, Python's objects. Each has a name and a way on. Told by the first bytes, by the name
// where the bytes say nothing, and by the files beside it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace spokelab {

struct ForeignFile {
  std::string what;   // "it is a DICOM file"
  std::string wayOn;  // "Convert it to ISMRMRD with siemens_to_ismrmrd, ..."
};

// The format that the file seems to have, or none. Reads some kB. Never throws Error.
std::optional<ForeignFile> foreignFile(const std::filesystem::path& file);
// The same for a folder: Bruker's experiments, Varian's and Agilent's, DICOM series.
std::optional<ForeignFile> foreignFolder(const std::filesystem::path& folder);
// The same for an HDF5 file, by the paths of its contents, separated by line ends: GE's
// ScanArchive, MRD images, Philips' and others' layouts.
std::optional<ForeignFile> foreignHdf5(const std::filesystem::path& file, const std::string& paths);

}  // namespace spokelab
