// Names of efforts and directions.
#include <array>
#include <utility>

#include "engine/core/error.h"
#include "engine/nufft/tune/tune.h"

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 3> efforts{"estimate", "measure", "exhaustive"};
constexpr std::array<std::string_view, 4> directions{"forward", "adjoint", "both", "normal"};

template <class Names>
int indexIn(const Names& names, std::string_view name, const char* what) {
  std::string known;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return int(i);
    known += (i ? ", " : "") + std::string(names[i]);
  }
  throw Error(std::string("Unknown ") + what, "there is no \"" + std::string(name) + "\"",
              "Choose one of: " + known);
}

}  // namespace

std::string_view effortName(TuneEffort e) {
  return efforts[std::size_t(e)];
}
std::string_view directionName(Direction d) {
  return directions[std::size_t(d)];
}
TuneEffort effortFromName(std::string_view name) {
  return TuneEffort(indexIn(efforts, name, "effort"));
}
Direction directionFromName(std::string_view name) {
  return Direction(indexIn(directions, name, "direction"));
}

}  // namespace spokelab
