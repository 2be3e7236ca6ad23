#include "app/cli/info/sequence_text.h"

#include "app/cli/text.h"
#include "engine/core/text.h"
#include "engine/scan/formats/pulseq/pulseq_facts.h"

namespace spokelab::cli {
namespace {

std::string rangeText(double low, double high) {
  return low == high ? numberText(high) : numberText(low) + " to " + numberText(high);
}

// Extent of k in cycles/FOV where the field of view is known, and the pixel that it resolves.
std::string extentText(const PulseqFacts& f) {
  constexpr double mm = 1e-3;
  std::string text = axesText(f.axes) + ", ";
  for (std::size_t i = 0; i < f.axes.size(); ++i) {
    const std::size_t d = f.axes[i];
    text += (i ? ", " : "") + numberText(f.low[d]) + " to " + numberText(f.high[d]);
  }
  text += " 1/m";
  if (f.fov.empty()) return text;
  text += " (";
  for (std::size_t i = 0; i < f.axes.size(); ++i) {
    const std::size_t d = f.axes[i];
    const double fov = d < f.fov.size() ? f.fov[d] : f.fov.front();
    text += (i ? ", " : "") + numberText(f.low[d] * fov * mm) + " to " + numberText(f.high[d] * fov * mm);
  }
  return text + " cycles/FOV)";
}

nlohmann::json factsJson(const PulseqFacts& f, const PulseqSequence& s) {
  nlohmann::json labels = nlohmann::json::object();
  for (const auto& [name, range] : f.labels) labels[name] = {range.first, range.second};
  std::vector<std::string> axes;
  for (const std::size_t d : f.axes) axes.emplace_back(1, char('x' + int(d)));
  return {{"name", f.name},
          {"version", f.version},
          {"duration_s", f.duration},
          {"blocks", f.blocks},
          {"excitations", f.excitations},
          {"refocusings", f.refocusings},
          {"readouts", f.readouts},
          {"readouts_aside", f.aside},
          {"samples", {f.minSamples, f.maxSamples}},
          {"dwell_s", {f.minDwell, f.maxDwell}},
          {"echo_time_s", f.echoTime},
          {"repetition_time_s", f.repetitionTime},
          {"axes", axes},
          {"k_low_per_m", f.low},
          {"k_high_per_m", f.high},
          {"fov_mm", f.fov},
          {"max_gradient_T_per_m", f.maxGradient},
          {"max_slew_T_per_m_per_s", f.maxSlew},
          {"labels", labels},
          {"definitions", s.definitions}};
}

}  // namespace

void describeSequence(CommandContext& context, const std::filesystem::path& file, nlohmann::json& document) {
  constexpr double perMilli = 1e3, perMicro = 1e6;
  const PulseqSequence s = readPulseq(file, context.progress.part(0, 0.3));
  const PulseqKspace kspace =
      calculateKspace(s, "Cannot read " + file.string(), context.progress.part(0.3, 1));
  const PulseqFacts f = pulseqFacts(s, kspace);
  const auto say = [&](const std::string& name, const std::string& value) { context.say(row(name, value)); };
  context.say(file.filename().string());
  say("sequence", "Pulseq " + f.version + (f.name.empty() || f.name == "NaN" ? "" : ", " + f.name));
  say("duration", secondsText(f.duration) + ", " + countText(f.blocks, "block"));
  say("pulses", countText(f.excitations, "excitation") +
                    (f.refocusings ? ", " + countText(f.refocusings, "refocusing pulse") : ""));
  say("readouts",
      std::to_string(f.readouts) + " x " + rangeText(double(f.minSamples), double(f.maxSamples)) +
          " samples, dwell " + rangeText(f.minDwell * perMicro, f.maxDwell * perMicro) + " us" +
          (f.aside ? "; " + std::to_string(f.aside) + " for noise, navigators or before an excitation" : ""));
  if (f.readouts > 0) {
    say("echo time",
        millisecondsText(f.echoTime) + " to the smallest |k|" +
            (f.repetitionTime > 0 ? ", repetition " + millisecondsText(f.repetitionTime) + " (medians)"
                                  : " (median)"));
    say("trajectory", extentText(f));
  }
  if (!f.fov.empty()) {
    std::string text;
    for (const double v : f.fov) text += (text.empty() ? "" : " x ") + numberText(v);
    say("field of view", text + " mm");
  }
  say("gradients",
      "at most " + numberText(f.maxGradient * perMilli) + " mT/m, " + numberText(f.maxSlew) + " T/m/s (1H)");
  std::vector<std::string> labels;
  for (const auto& [name, range] : f.labels)
    labels.push_back(name + " " + std::to_string(range.first) + " to " + std::to_string(range.second));
  if (!labels.empty()) say("labels", joined(labels));
  for (const auto& [name, value] : s.definitions) say(name, value);
  for (const std::string& remark : s.remarks) say("not used", remark);
  context.say("Open samples with this trajectory: --trajectory " + file.filename().string());
  document["sequence"] = factsJson(f, s);
}

}  // namespace spokelab::cli
