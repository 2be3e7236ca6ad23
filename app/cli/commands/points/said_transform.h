// Reports a transform of points to stdout and to the JSON document: its error and its times.
#pragma once

#include <cmath>
#include <complex>
#include <cstdint>
#include <optional>
#include <random>
#include <vector>

#include <nlohmann/json.hpp>

#include "app/cli/context.h"
#include "app/cli/text.h"
#include "engine/core/text.h"

namespace spokelab::cli {

inline constexpr int measuredOutputs = 256;  // of --measure-error

// Pseudo-random indices of outputs, below `outputs`, the same in each run.
inline std::vector<std::int64_t> someOutputs(std::int64_t outputs) {
  std::vector<std::int64_t> selection(measuredOutputs);
  std::mt19937_64 random(1);
  for (std::int64_t& output : selection) output = std::int64_t(random() % std::uint64_t(outputs));
  return selection;
}

// Relative l2 error of the selected outputs of the first image. exact: [selection]; 0 if all of it
// is 0.
template <class Complex>
double errorAt(const std::vector<std::int64_t>& selection, const std::vector<Complex>& out,
               const std::vector<std::complex<double>>& exact) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < exact.size(); ++i) {
    difference += std::norm(std::complex<double>(out[std::size_t(selection[i])]) - exact[i]);
    norm += std::norm(exact[i]);
  }
  return norm > 0 ? std::sqrt(difference / norm) : 0;
}

// The numbers of a NUFFT that was executed: of setting its points, and of transforming the values.
struct SaidTransform {
  double predictedError = 0, asked = 0;  // relative l2; asked: the accuracy
  double pointSeconds = 0, seconds = 0;
  std::optional<double> measuredError = {};
};

inline void sayTransform(CommandContext& context, const SaidTransform& said, nlohmann::json& document) {
  document.update({{"predictedError", said.predictedError},
                   {"pointSeconds", said.pointSeconds},
                   {"seconds", said.seconds}});
  std::string error =
      numberText(said.predictedError, 2) + " predicted, " + numberText(said.asked, 2) + " asked for";
  if (said.measuredError) {
    error += ", " + numberText(*said.measuredError, 2) + " measured";
    document["measuredError"] = *said.measuredError;
  }
  context.say(row("error", error));
  context.say(row("time", secondsText(said.pointSeconds) + " for the points, " + secondsText(said.seconds) +
                              " for the values"));
}

// The same for exact sums, which have no error model. plan: in words; seconds: of all values.
inline void saySums(CommandContext& context, const std::string& plan, double seconds,
                    nlohmann::json& document) {
  document.update({{"plan", plan}, {"seconds", seconds}});
  context.say(row("plan", plan));
  context.say(row("time", secondsText(seconds)));
}

}  // namespace spokelab::cli
