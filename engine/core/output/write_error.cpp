#include "engine/core/output/write_error.h"

#include <cerrno>
#include <cstring>
#include <string>

namespace spokelab {
namespace {

std::string remedyFor(int code) {
  switch (code) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
      return "Free some space or choose another folder";
    case EACCES:
    case EPERM:
    case EROFS:
      return "Choose a file and a folder you may write to";
    case ENOENT:
    case ENOTDIR:
      return "Create the folder first, or correct the path";
    case EISDIR:
      return "Give the name of a file";
    case EBADF:
      return "Leave that stream open for writing, or name a file";
    case EPIPE:
      return "Keep the program that reads it running until all is written";
    default:
      return "Choose another path";
  }
}

}  // namespace

Error writeError(const std::filesystem::path& target, int code) {
  return {"Cannot write " + target.string(), code != 0 ? std::strerror(code) : "the system does not say why",
          remedyFor(code)};
}

}  // namespace spokelab
