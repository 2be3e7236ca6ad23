#include "engine/nufft/tune/tune_effort.h"

#include <array>
#include <string>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::array<std::string_view, 3> efforts{"estimate", "measure", "exhaustive"};

}  // namespace

std::string_view effortName(TuneEffort e) {
  return efforts[std::size_t(e)];
}

TuneEffort effortFromName(std::string_view name) {
  std::string known;
  for (std::size_t i = 0; i < efforts.size(); ++i) {
    if (efforts[i] == name) return TuneEffort(i);
    known += (i ? ", " : "") + std::string(efforts[i]);
  }
  throw Error("Unknown effort", "\"" + std::string(name) + "\" is not one of them",
              "Choose one of: " + known);
}

}  // namespace spokelab
