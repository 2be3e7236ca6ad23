// Guesses an array's role from its name: files and variables are named after their contents.
#pragma once

#include <string>

namespace spokelab {

// Words are in lower case.
bool soundsLikeTrajectory(const std::string& word);
bool soundsLikeSamples(const std::string& word);
bool isTimes(const std::string& word);
bool isEchoTimes(const std::string& word);
bool isWeights(const std::string& word);
// The name under which a map is read; empty for other words.
std::string mapName(const std::string& word);
// Times, weights or a map: arrays that come with a scan and are neither samples nor points.
bool isCompanion(const std::string& word);

}  // namespace spokelab
