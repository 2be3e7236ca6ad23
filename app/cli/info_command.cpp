// info: what a file holds, what the reader decided about it and why; and the machines to reconstruct on.
#include <algorithm>
#include <cmath>

#include "app/cli/command.h"
#include "engine/profile/results.h"

namespace spokelab::cli {
namespace {

std::string shotText(const Trajectory& t) {
  std::int64_t shortest = t.samples(), longest = 0;
  for (std::size_t s = 0; s + 1 < t.shotOffsets.size(); ++s) {
    const std::int64_t length = t.shotOffsets[s + 1] - t.shotOffsets[s];
    shortest = std::min(shortest, length);
    longest = std::max(longest, length);
  }
  const std::string lengths = shortest == longest
                                  ? std::to_string(longest)
                                  : std::to_string(shortest) + " to " + std::to_string(longest);
  return countText(t.shots(), "shot") + " x " + lengths + " samples";
}

std::string extentText(const Trajectory& t) {
  std::string text;
  const auto dims = std::size_t(t.dims);
  for (std::size_t d = 0; d < dims; ++d) {
    double largest = 0;
    for (std::size_t i = d; i < t.points.size(); i += dims)
      largest = std::max(largest, std::abs(t.points[i]));
    text += (d ? " x " : "") + numberText(largest, 4);
  }
  return text;
}

std::string millimetres(const Vec3& v, int dims) {
  std::string text;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) text += (d ? " x " : "") + numberText(v[d], 4);
  return text + " mm";
}

void describe(CommandContext& context, const Scan& scan) {
  const auto say = [&](const std::string& name, const std::string& value) { context.say(row(name, value)); };
  const Trajectory& t = scan.trajectories.front();
  const int dims = scan.dims();
  context.say(scan.name);
  say("samples", countText(scan.frames, "frame") + ", " + countText(scan.slices, "slice") + ", " +
                     countText(scan.coils, "coil") + ", " + shotText(t));
  say("trajectory", std::to_string(dims) + "-D, |k| up to " + extentText(t) + " cycles/FOV" +
                        (scan.trajectories.size() > 1 ? ", one for each frame" : ""));
  say("weights", t.weights.empty() ? "none in the file" : "in the file");
  if (!t.times.empty()) {
    const auto [first, last] = std::minmax_element(t.times.begin(), t.times.end());
    say("times", numberText(*first * 1e3) + " to " + numberText(*last * 1e3) + " ms after excitation");
  }
  say("matrix", sizeText(scan.geometry.matrix, dims));
  say("field of view", millimetres(scan.geometry.fov, 3) + (scan.geometry.nominal ? " (nominal)" : ""));
  say("pixel", millimetres(scan.geometry.voxel(), 3));
  if (!scan.noise.empty())
    say("noise", std::to_string(std::int64_t(scan.noise.size()) / scan.coils) + " samples a coil");
  if (!scan.decisions.empty()) context.say("Decisions of the reader (overrule with --set TOPIC=CHOICE)");
  for (const Decision& d : scan.decisions) {
    say(d.topic, d.choice + (d.overridden ? " (as told)" : "") + ": " + d.evidence);
    if (!d.alternatives.empty()) say("", "or: " + joined(d.alternatives, ", "));
  }
  if (!scan.warnings.empty()) context.say("Warnings");
  for (const std::string& warning : scan.warnings) context.say("  " + warning);
}

class InfoCommand final : public Command {
 public:
  InfoCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("info", "Show what a scan holds and what the reader decided about it");
    scan_.addTo(*app);
    addJson(*app, json_);
    app->footer("Examples:\n  " + program + " info scan.h5\n  " + program +
                " info scan.h5 --set third-dimension=density-weight\n  " + program + " info demo --json -");
  }

  void run(CommandContext& context) override {
    const auto scan = scan_.read(context.progress);
    describe(context, *scan);
    nlohmann::json backends = nlohmann::json::array();
    context.say("Machines");
    for (const BackendBadge& badge : context.backends().badges()) {
      context.say(row(badge.name, badge.text));
      backends.push_back({{"name", badge.name}, {"text", badge.text}, {"usable", badge.usable}});
    }
    context.json(json_, {{"scan", toJson(*scan)}, {"backends", backends}});
  }

 private:
  ScanArguments scan_;
  std::string json_;
};

}  // namespace

std::unique_ptr<Command> makeInfoCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<InfoCommand>(parent, program);
}

}  // namespace spokelab::cli
