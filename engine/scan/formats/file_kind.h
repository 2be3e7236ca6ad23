// The kind of a file, by its first bytes (BART's pair by its extension).
#pragma once

#include <filesystem>
#include <string>

namespace spokelab {

// `stream`: ISMRMRD's messages; `bruker`: a folder, or a file in it; `dataset`: file.h5:dataset;
// `points`: SPARKLING's trajectories; `sequence`: Pulseq's.
enum class FileKind {
  hdf5,
  stream,
  twix,
  bruker,
  dataset,
  npy,
  cfl,
  npz,
  mat,
  points,
  sequence,
  nifti,
  dicom,
  json,
  png,
  unknown
};

// Throws Error where the file is missing, a folder, a pipe or a device.
void requireRegularFile(const std::filesystem::path& file);
// Whatever its name; false for what cannot be read.
bool isHdf5File(const std::filesystem::path& file);
// Recognises a DICOM file by its mark at byte 128; false if it cannot be read.
bool isDicomFile(const std::filesystem::path& file);
// The kind of a file, also of the file in file.npz:variable. Throws Error if it is missing, empty,
// not a regular file or not readable.
FileKind fileKind(const std::filesystem::path& name);
// Numbers without a meaning: .npy, .cfl, .npz, .mat or file.h5:dataset.
bool isArrayKind(FileKind kind);
// True for kinds that hold a trajectory and no samples: SPARKLING's files, Pulseq's sequences.
bool isTrajectoryKind(FileKind kind);
std::string kindName(FileKind kind);  // "a NumPy array"

}  // namespace spokelab
