#include "engine/scan/formats/hdf5/hdf5_handle.h"

#include <charconv>
#include <cstdint>
#include <cstring>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace spokelab {
namespace {

std::recursive_mutex& hdf5Mutex() {
  static std::recursive_mutex mutex;
  return mutex;
}

// The system's code in the file driver's words, wherever they are: "..., errno = 28, ...".
herr_t takeSystemCode(unsigned, const H5E_error2_t* error, void* out) {
  constexpr std::string_view key = "errno = ";
  const std::string_view words = error->desc ? error->desc : "";
  const std::size_t at = words.find(key);
  int& code = *static_cast<int*>(out);
  if (code == 0 && at != std::string_view::npos)
    std::from_chars(words.data() + at + key.size(), words.data() + words.size(), code);
  return 0;
}

herr_t keepDeepest(unsigned n, const H5E_error2_t* error, void* out) {
  if (n == 0 && error->desc) *static_cast<std::string*>(out) = error->desc;
  return 0;
}

// The library's "truncated file: eof = 60, sblock->base_addr = 0, stored_eof = 90" in plain words;
// other reasons are as they are.
std::string inPlainWords(const std::string& reason) {
  const auto numberAfter = [&](std::string_view key) -> std::optional<std::uint64_t> {
    const std::size_t at = reason.find(key);
    std::uint64_t value = 0;
    if (at == std::string::npos) return {};
    const char* first = reason.data() + at + key.size();
    if (std::from_chars(first, reason.data() + reason.size(), value).ec != std::errc()) return {};
    return value;
  };
  const auto there = numberAfter(" eof = "), whole = numberAfter("stored_eof = ");
  if (!reason.starts_with("truncated file") || !there || !whole) return reason;
  return "the file is truncated: it has " + std::to_string(*there) + " of its " + std::to_string(*whole) +
         " bytes";
}

}  // namespace

Hdf5Lock::Hdf5Lock() {
  hdf5Mutex().lock();
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  // A file names its filters: no code is loaded because a file asks for it.
  H5PLset_loading_state(0);
}

Hdf5Lock::~Hdf5Lock() {
  hdf5Mutex().unlock();
}

std::string hdf5Reason() {
  std::string reason;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keepDeepest, &reason);
  H5Eclear2(H5E_DEFAULT);
  return inPlainWords(reason);
}

Error hdf5WriteError(const std::string& problem) {
  int code = 0;
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, takeSystemCode, &code);
  const std::string words = hdf5Reason();
  const std::string reason = code != 0       ? std::strerror(code)
                             : words.empty() ? "the HDF5 library cannot write"
                                             : "the HDF5 library cannot write (" + words + ")";
  return {problem, reason, "Free some space or choose another folder"};
}

}  // namespace spokelab
