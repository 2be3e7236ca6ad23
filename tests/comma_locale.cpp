#include "tests/comma_locale.h"

#include <unistd.h>

#include <clocale>
#include <cstdlib>
#include <filesystem>
#include <string>

namespace spokelab::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* name = "de_DE.UTF-8";

bool taken() {
  return std::setlocale(LC_ALL, name) && std::string(std::localeconv()->decimal_point) == ",";
}

// Made beside its place and moved there: several tests may begin at the same time.
void make(const fs::path& folder) {
  std::error_code failed;
  fs::create_directories(folder, failed);
  const fs::path made = folder / ("made-" + std::to_string(::getpid()));
  const std::string command = "localedef -i de_DE -f UTF-8 '" + made.string() + "' >/dev/null 2>&1";
  if (std::system(command.c_str()) == 0) fs::rename(made, folder / name, failed);
  fs::remove_all(made, failed);
}

}  // namespace

bool takeCommaLocale() {
  if (!taken()) {
    const fs::path folder = fs::path(SPOKELAB_BINARY_DIR) / "locale";
    ::setenv("LOCPATH", folder.c_str(), 1);
    if (!fs::exists(folder / name)) make(folder);
    if (!taken()) return false;
  }
  ::setenv("LC_ALL", name, 1);
  return true;
}

}  // namespace spokelab::test
