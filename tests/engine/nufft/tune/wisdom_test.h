// Shared by the tests of wisdom: an entry, and the file's place.
#pragma once

#include <QTemporaryDir>
#include <string>

#include "engine/nufft/tune/tune.h"

namespace spokelab::wisdomtest {

inline Candidate someCandidate(double alpha) {
  Candidate c;
  c.backend = "cpu";
  c.options.alpha = alpha;
  c.options.width = 5.25;
  c.options.spread = c.options.interpolate = Method::blocked;
  c.options.bins = {16, 16, 4};
  c.grid = {96, 80, 1};
  c.predicted.bound = 8e-4;
  c.timings.total = 0.25;
  c.timings[Stage::fft] = 0.125;
  c.timings.bytes[std::size_t(Stage::fft)] = 4096;
  c.spread = 0.0625;
  c.repeats = 7;
  c.memory = 123456789012;
  return c;
}

inline std::string fileIn(const QTemporaryDir& folder) {
  return folder.filePath("wisdom.json").toStdString();
}

}  // namespace spokelab::wisdomtest
