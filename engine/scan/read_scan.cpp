#include "engine/scan/read_scan.h"

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>

#include "engine/core/error.h"
#include "engine/scan/generate.h"
#include "engine/scan/read_ismrmrd.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::array<unsigned char, 8> hdf5Signature = {0x89, 'H', 'D', 'F', '\r', '\n', 0x1a, '\n'};

// HDF5 allows a block of the user's own in front, of 512 bytes or a power of two times that.
bool looksLikeHdf5(std::FILE* file, std::uintmax_t size) {
  constexpr std::uintmax_t smallestBlock = 512, largestBlock = 1 << 20;
  for (std::uintmax_t at = 0; at + hdf5Signature.size() <= size && at <= largestBlock;
       at = at == 0 ? smallestBlock : 2 * at) {
    std::array<unsigned char, 8> bytes{};
    if (std::fseek(file, long(at), SEEK_SET) != 0) return false;
    if (std::fread(bytes.data(), 1, bytes.size(), file) == bytes.size() && bytes == hdf5Signature)
      return true;
  }
  return false;
}

void checkFile(const fs::path& file) {
  const std::string problem = "Cannot read " + file.string();
  std::error_code code;
  const fs::file_status status = fs::status(file, code);
  if (status.type() == fs::file_type::not_found)
    throw Error(problem, "there is no such file", "Check the name and the folder");
  if (code) throw Error(problem, code.message(), "Check the name and the permissions of its folder");
  if (status.type() == fs::file_type::directory)
    throw Error(problem, "it is a folder", "Choose the scan's file in it");
  if (status.type() != fs::file_type::regular)
    throw Error(problem, "it is not a regular file", "Choose a file");
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> open(std::fopen(file.c_str(), "rb"), std::fclose);
  if (!open) {
    const int error = errno;
    throw Error(problem, std::strerror(error), "Check the permissions of the file");
  }
  const std::uintmax_t size = fs::file_size(file);
  if (size == 0) throw Error(problem, "the file is empty", "Copy the file again");
  if (!looksLikeHdf5(open.get(), size))
    throw Error(problem, "it is no HDF5 file", "Convert the scan to ISMRMRD (HDF5) first");
}

}  // namespace

std::shared_ptr<const Scan> readScan(const fs::path& file, const ReadOptions& options,
                                     const Progress& progress) {
  progress.report(0, "Opening " + file.filename().string());
  if (file == "demo") return demoScan();
  checkFile(file);
  try {
    return readIsmrmrd(file, options, progress);
  } catch (const std::bad_alloc&) {
    throw Error("Cannot read " + file.string(), "there is not enough memory for it",
                "Read it on a machine with more memory");
  } catch (const fs::filesystem_error& e) {
    throw Error("Cannot read " + file.string(), e.code().message(), "Check that the file is still there");
  }
}

}  // namespace spokelab
