#include "engine/scan/formats/file_kind.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <optional>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/bruker/bruker_layout.h"
#include "engine/scan/formats/acquisitions/stream_acquisitions.h"
#include "engine/scan/formats/acquisitions/twix/twix_file.h"
#include "engine/scan/formats/arrays/array_name.h"
#include "engine/scan/formats/foreign/foreign_file.h"
#include "engine/scan/formats/points/sparkling.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using Stream = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

constexpr std::string_view hdf5Signature = "\x89HDF\r\n\x1a\n";

// HDF5 allows a block of the user's own in front, of 512 bytes or a power of two times that.
bool looksLikeHdf5(std::FILE* file, std::uintmax_t size) {
  constexpr std::uintmax_t minBlockBytes = 512, maxBlockBytes = 1 << 20;
  for (std::uintmax_t at = 0; at + hdf5Signature.size() <= size && at <= maxBlockBytes;
       at = at == 0 ? minBlockBytes : 2 * at) {
    std::array<char, hdf5Signature.size()> bytes{};
    if (std::fseek(file, long(at), SEEK_SET) != 0) return false;
    if (std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size() &&
        std::string_view(bytes.data(), bytes.size()) == hdf5Signature)
      return true;
  }
  return false;
}

bool endsWith(const fs::path& file, const char* extension) {
  return lowerCase(file.filename().string()).ends_with(extension);
}

// A NIfTI header starts with its size (348 or 540), in either byte order.
bool startsLikeNifti(std::string_view bytes) {
  for (const std::string_view size :
       {std::string_view("\x5c\x01\0\0", 4), std::string_view("\0\0\x01\x5c", 4),
        std::string_view("\x1c\x02\0\0", 4), std::string_view("\0\0\x02\x1c", 4)})
    if (bytes.starts_with(size)) return true;
  return false;
}

[[noreturn]] void refuseFolder(const fs::path& folder, const std::string& problem) {
  const std::optional<ForeignFile> foreign = foreignFolder(folder);
  throw Error(problem, foreign ? foreign->what : "it is a folder",
              foreign ? foreign->wayOn : "Choose the scan's file in it");
}

}  // namespace

void requireRegularFile(const fs::path& file) {
  const std::string problem = "Cannot read " + file.string();
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found)
    throw Error(problem, "there is no such file", "Check the name and the folder");
  if (code) throw Error(problem, code.message(), "Check the name and the permissions of its folder");
  if (status.type() == fs::file_type::directory) refuseFolder(file, problem);
  if (status.type() != fs::file_type::regular)
    throw Error(problem, "it is not a regular file", "Choose a file");
}

bool isHdf5File(const fs::path& file) {
  std::error_code failed;
  const Stream open(std::fopen(file.c_str(), "rb"), std::fclose);
  const std::uintmax_t size = fs::file_size(file, failed);
  return open && !failed && looksLikeHdf5(open.get(), size);
}

bool isDicomFile(const fs::path& file) {
  constexpr long preambleBytes = 128;
  const Stream open(std::fopen(file.c_str(), "rb"), std::fclose);
  std::array<char, 4> mark{};
  return open && std::fseek(open.get(), preambleBytes, SEEK_SET) == 0 &&
         std::fread(mark.data(), 1, mark.size(), open.get()) == mark.size() &&
         std::string_view(mark.data(), mark.size()) == "DICM";
}

bool isArrayKind(FileKind kind) {
  return kind == FileKind::npy || kind == FileKind::cfl || kind == FileKind::npz || kind == FileKind::mat ||
         kind == FileKind::dataset;
}

bool isTrajectoryKind(FileKind kind) {
  return kind == FileKind::points || kind == FileKind::sequence;
}

FileKind fileKind(const fs::path& name) {
  const ArrayName named = parseArrayName(name);
  const fs::path& file = named.file;
  if (brukerData(file)) return FileKind::bruker;
  requireRegularFile(file);
  const std::string problem = "Cannot read " + file.string();
  std::error_code code;
  const Stream open(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!open) {
    const int error = errno;
    throw Error(problem, std::strerror(error), "Check the permissions of the file");
  }
  const std::uintmax_t size = fs::file_size(file, code);
  if (size == 0) throw Error(problem, "the file is empty", "Copy the file again");
  std::array<char, 8> bytes{};
  const std::string_view start(bytes.data(), std::fread(bytes.data(), 1, bytes.size(), open.get()));
  if (start.starts_with("\x93NUMPY")) return FileKind::npy;
  if (start.starts_with("\x89PNG")) return FileKind::png;
  if (start.starts_with("\x1f\x8b")) return endsWith(file, ".nii.gz") ? FileKind::nifti : FileKind::unknown;
  if (start.starts_with("PK\x03\x04") || start.starts_with("PK\x05\x06"))
    return endsWith(file, ".npz") ? FileKind::npz : FileKind::unknown;
  if (endsWith(file, ".mat")) return FileKind::mat;  // version 4 begins with no sign
  if (looksLikeHdf5(open.get(), size)) return named.variable.empty() ? FileKind::hdf5 : FileKind::dataset;
  if (isAcquisitionStream(file)) return FileKind::stream;
  if (endsWith(file, ".cfl") || endsWith(file, ".hdr")) return FileKind::cfl;
  if (startsLikeNifti(start)) return FileKind::nifti;
  if (isDicomFile(file)) return FileKind::dicom;
  if (isTwix(file)) return FileKind::twix;
  if (isPulseq(file)) return FileKind::sequence;
  if (isSparkling(file)) return FileKind::points;
  const std::size_t first = start.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && start[first] == '{') return FileKind::json;
  return FileKind::unknown;
}

std::string kindName(FileKind kind) {
  switch (kind) {
    case FileKind::hdf5:
      return "an HDF5 file";
    case FileKind::stream:
      return "a stream of ISMRMRD messages";
    case FileKind::twix:
      return "raw data of a Siemens scanner (twix)";
    case FileKind::bruker:
      return "an experiment of a Bruker scanner";
    case FileKind::dataset:
      return "a data set of an HDF5 file";
    case FileKind::npy:
      return "a NumPy array";
    case FileKind::cfl:
      return "a BART array";
    case FileKind::npz:
      return "an archive of NumPy arrays";
    case FileKind::mat:
      return "a MATLAB file";
    case FileKind::points:
      return "a SPARKLING trajectory";
    case FileKind::sequence:
      return "a Pulseq sequence";
    case FileKind::nifti:
      return "a NIfTI image";
    case FileKind::dicom:
      return "a DICOM image";
    case FileKind::json:
      return "a JSON file";
    case FileKind::png:
      return "a picture";
    case FileKind::unknown:
      break;
  }
  return "a file of an unknown kind";
}

}  // namespace spokelab
