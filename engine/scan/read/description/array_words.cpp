#include "engine/scan/read/description/array_words.h"

#include <algorithm>
#include <initializer_list>

namespace spokelab {
namespace {

bool isOneOf(const std::string& word, std::initializer_list<const char*> words) {
  return std::any_of(words.begin(), words.end(), [&](const char* w) { return word == w; });
}

}  // namespace

bool soundsLikeTrajectory(const std::string& word) {
  return word.find("tra") != std::string::npos || word.find("coord") != std::string::npos ||
         isOneOf(word, {"k", "kxy", "kxyz", "om", "omega", "loc", "locs", "points", "kloc"});
}
bool soundsLikeSamples(const std::string& word) {
  return !soundsLikeTrajectory(word) &&
         (word.find("ksp") != std::string::npos || word.find("data") != std::string::npos ||
          word.find("raw") != std::string::npos || word.find("samp") != std::string::npos ||
          isOneOf(word, {"d", "s", "y", "sig", "signal", "signals"}));
}
bool isTimes(const std::string& word) {
  return isOneOf(word, {"t", "time", "times", "tvec"});
}
bool isEchoTimes(const std::string& word) {
  return isOneOf(word, {"te", "tes", "echotimes", "echo_times", "echotime", "echo_time"});
}
bool isWeights(const std::string& word) {
  return isOneOf(word, {"w", "ve", "weights", "dcf", "dcw", "dcomp", "dens", "density", "density_weights"});
}
std::string mapName(const std::string& word) {
  if (isOneOf(word, {"fm", "fieldmap", "b0", "b0map"})) return "FieldMap";
  if (isOneOf(word, {"pmap", "phasemaps"})) return "PhaseMaps";
  if (isOneOf(word, {"sen", "sens", "sensemap", "smap", "smaps", "maps", "csm"})) return "SENSEMap";
  return "";
}
bool isCompanion(const std::string& word) {
  return isTimes(word) || isEchoTimes(word) || isWeights(word) || !mapName(word).empty();
}

}  // namespace spokelab
