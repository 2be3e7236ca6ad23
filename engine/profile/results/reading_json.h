// The reading of a scan in documents that read it again: reports, baselines and sessions.
#pragma once

#include "engine/core/documents/fields.h"
#include "engine/scan/read/read_options.h"

namespace spokelab {

// As an absolute path, where the system can tell it.
inline std::string absoluteText(const std::filesystem::path& file) {
  std::error_code failed;
  const std::filesystem::path whole = std::filesystem::absolute(file, failed);
  return (failed ? file : whole).string();
}

// The files that belong to the samples.
template <class F, Either<SeparateFiles> S>
void fields(F& f, S& separate) {
  const auto file = [](const std::string& text) { return std::filesystem::path(text); };
  f.when(!separate.trajectory.empty(), "trajectory", separate.trajectory, Named{absoluteText, file});
  f.when(!separate.weights.empty(), "weights", separate.weights, Named{absoluteText, file});
  f.when(!separate.noise.empty(), "noise", separate.noise, Named{absoluteText, file});
}

template <class F, Either<ReadOptions> R>
void fields(F& f, R& reading) {
  f("dataset", reading.dataset);
  f("overrides", reading.overrides);
  fields(f, reading.separate);
}

}  // namespace spokelab
