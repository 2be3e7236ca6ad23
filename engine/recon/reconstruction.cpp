#include "engine/recon/reconstruction.h"

#include <algorithm>
#include <array>

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 4> originNames = {"", "truth", "file", "psf"};

}  // namespace

std::string_view resultOriginName(ResultOrigin origin) {
  return originNames[std::size_t(origin)];
}

ResultOrigin resultOriginFromName(std::string_view name) {
  const auto found = std::find(originNames.begin(), originNames.end(), name);
  return found == originNames.end() ? ResultOrigin::reconstructed : ResultOrigin(found - originNames.begin());
}

}  // namespace spokelab
