#include "engine/scan/formats/hdf5/hdf5_handle.h"

#include <charconv>
#include <cstring>
#include <mutex>

namespace spokelab {
namespace {

std::recursive_mutex& hdf5Mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

herr_t keepDeepest(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

}  // namespace

Hdf5Lock::Hdf5Lock() {
  hdf5Mutex().lock();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
}

Hdf5Lock::~Hdf5Lock() {
  hdf5Mutex().unlock();
}

std::string hdf5Reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepDeepest, &reason);
  H5Eclear2(H5E_DEFAULT);
  return reason;
}

Error hdf5WriteError(const std::string& problem) {
  // Its file driver says "..., errno = 28, error message = ..." with addresses and names around it.
  const std::string words = hdf5Reason(), key = "errno = ";
  const std::size_t at = words.find(key);
  int code = 0;
  if (at != std::string::npos)
    std::from_chars(words.data() + at + key.size(), words.data() + words.size(), code);
  const std::string reason = code != 0       ? std::strerror(code)
                             : words.empty() ? "the HDF5 library cannot write"
                                             : "the HDF5 library cannot write (" + words + ")";
  return {problem, reason, "Free some space or choose another folder"};
}

}  // namespace spokelab
