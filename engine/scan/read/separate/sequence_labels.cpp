#include "engine/scan/read/separate/sequence_labels.h"

#include <algorithm>
#include <array>
#include <string>

namespace spokelab {
namespace {

using Counters = ISMRMRD::ISMRMRD_EncodingCounters;

struct LabelCounter {
  const char* label;
  const char* name;
  std::uint16_t Counters::*counter;
};

constexpr std::array<LabelCounter, 9> labelCounters = {{
    {"LIN", "kspace_encode_step_1", &Counters::kspace_encode_step_1},
    {"PAR", "kspace_encode_step_2", &Counters::kspace_encode_step_2},
    {"SLC", "slice", &Counters::slice},
    {"AVG", "average", &Counters::average},
    {"ECO", "contrast", &Counters::contrast},
    {"PHS", "phase", &Counters::phase},
    {"REP", "repetition", &Counters::repetition},
    {"SET", "set", &Counters::set},
    {"SEG", "segment", &Counters::segment},
}};
constexpr int maxCounter = 65535;

int valueOf(const std::map<std::string, int>& labels, const char* label) {
  const auto found = labels.find(label);
  return found == labels.end() ? 0 : found->second;
}

}  // namespace

void addLabels(const GivenTrajectory& t, const std::vector<std::int64_t>& acquisitions,
               std::vector<AcquisitionHead>& heads, Decisions& d) {
  constexpr double microseconds = 1e6;
  const auto headOf = [&](std::size_t shot) -> AcquisitionHead& {
    return heads[std::size_t(acquisitions[shot])];
  };
  std::string used;
  for (const LabelCounter& c : labelCounters) {
    int largest = 0;
    bool counted = false, fits = true;
    for (std::size_t i = 0; i < acquisitions.size(); ++i) {
      const int value = valueOf(t.labels[i % t.labels.size()], c.label);
      largest = std::max(largest, value);
      fits = fits && value >= 0 && value <= maxCounter;
      counted = counted || headOf(i).idx.*(c.counter) != 0;
    }
    if (largest == 0 || counted || !fits) continue;
    for (std::size_t i = 0; i < acquisitions.size(); ++i)
      headOf(i).idx.*(c.counter) = std::uint16_t(valueOf(t.labels[i % t.labels.size()], c.label));
    used += (used.empty() ? "" : ", ") + std::string(c.label) + " 0 to " + std::to_string(largest) + " as " +
            c.name;
  }
  if (!used.empty()) d.note("labels", t.name, used + ": the samples' file counts none of these");
  if (t.dwells.empty()) return;
  for (std::size_t i = 0; i < acquisitions.size(); ++i)
    if (!(headOf(i).sample_time_us > 0))
      headOf(i).sample_time_us = float(t.dwells[i % t.dwells.size()] * microseconds);
}

}  // namespace spokelab
