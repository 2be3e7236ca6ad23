// simulate: a scan of the analytic phantom, as ISMRMRD HDF5.
#include <charconv>

#include "app/cli/command.h"
#include "engine/core/error.h"
#include "engine/profile/results.h"
#include "engine/scan/generate.h"

namespace spokelab::cli {
namespace {

std::vector<std::string> patternChoices() {
  std::vector<std::string> names;
  for (const auto& entry : patternNames()) names.push_back(entry.first);
  return names;
}

Pattern patternFromName(const std::string& name) {
  for (const auto& [text, pattern] : patternNames())
    if (text == name) return pattern;
  throw Error("Cannot simulate", "there is no pattern " + name,
              "Use one of: " + joined(patternChoices(), ", "));
}

bool isVolume(Pattern pattern) {
  return pattern == Pattern::radial3d || pattern == Pattern::goldenRadial3d ||
         pattern == Pattern::stackOfStars;
}

// "128" or "128x96x64" -> numbers; empty where it is neither.
template <class T>
std::vector<T> numbersBetweenX(const std::string& text) {
  std::vector<T> numbers;
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    T value{};
    const auto read = std::from_chars(at, end, value);
    if (read.ec != std::errc() || !(value > 0)) return {};
    numbers.push_back(value);
    if (read.ptr == end) return numbers;
    if (*read.ptr != 'x') return {};
    at = read.ptr + 1;
  }
}

template <class T>
std::string checkNumbers(const std::string& text) {
  const std::size_t count = numbersBetweenX<T>(text).size();
  return count >= 1 && count <= 3 ? std::string()
                                  : "'" + text + "' is not one to three sizes, as in 128 or 128x96x64";
}

class SimulateCommand final : public Command {
 public:
  SimulateCommand(CLI::App& parent, const std::string& program) {
    app = parent.add_subcommand("simulate", "Make a scan of the analytic head phantom");
    app->add_option("-o,--output", output_, "The scan to write (ISMRMRD HDF5)")
        ->type_name("FILE.h5")
        ->required();
    app->add_option("--pattern", pattern_, "Sampling pattern")
        ->type_name('{' + joined(patternChoices(), ",") + '}')
        ->check(CLI::IsMember(patternChoices()).description(""))
        ->capture_default_str()
        ->group("Trajectory");
    app->add_option("--matrix", matrix_, "Image size, as in 128 or 128x128x64")
        ->type_name("SIZE")
        ->check(CLI::Validator(checkNumbers<std::int64_t>, ""))
        ->capture_default_str()
        ->group("Trajectory");
    const auto count = [&](const char* name, int& value, const char* help, const char* group) {
      app->add_option(name, value, help)
          ->type_name("INTEGER")
          ->check(CLI::NonNegativeNumber.description(""))
          ->capture_default_str()
          ->group(group);
    };
    app->add_option("--acceleration", options_.trajectory.acceleration, "Acceleration R; 1: fully sampled")
        ->type_name("NUMBER")
        ->capture_default_str()
        ->group("Trajectory");
    count("--shots", options_.trajectory.shots, "Shots; 0: from the acceleration", "Trajectory");
    count("--samples", options_.trajectory.samplesPerShot, "Samples a shot; 0: as many as the matrix",
          "Trajectory");
    count("--turns", options_.trajectory.spiralTurns, "Turns of a spiral; 0: from the shots", "Trajectory");
    count("--coils", options_.coils, "Receive coils", "Scan");
    count("--frames", options_.frames, "Frames", "Scan");
    app->add_option("--fov", fov_, "Field of view in mm, as in 220 or 220x220x110")
        ->type_name("MM")
        ->check(CLI::Validator(checkNumbers<double>, ""))
        ->capture_default_str()
        ->group("Scan");
    app->add_option("--noise", options_.noise, "Noise of real and imaginary part, over the rms signal")
        ->type_name("NUMBER")
        ->check(CLI::NonNegativeNumber.description(""))
        ->capture_default_str()
        ->group("Scan");
    app->add_option("--seed", options_.seed, "Seed of noise and random points")
        ->type_name("INTEGER")
        ->capture_default_str()
        ->group("Scan");
    addJson(*app, json_);
    app->footer(
        "Examples:\n  " + program + " simulate -o radial.h5 --matrix 256 --coils 8\n  " + program +
        " simulate -o stars.h5 --pattern stack-of-stars --matrix 128x128x32 --acceleration 2 --noise 0.01");
  }

  void run(CommandContext& context) override {
    requireWritable(output_);
    const Pattern pattern = patternFromName(pattern_);
    const auto sizes = numbersBetweenX<std::int64_t>(matrix_);
    const bool volume = isVolume(pattern) || (pattern == Pattern::random && sizes.size() == 3);
    options_.trajectory.pattern = pattern;
    options_.trajectory.matrix = {sizes[0], sizes.size() > 1 ? sizes[1] : sizes[0],
                                  sizes.size() > 2 ? sizes[2]
                                  : volume         ? sizes[0]
                                                   : 1};
    options_.trajectory.seed = options_.seed;
    const auto fov = numbersBetweenX<double>(fov_);
    options_.fov = {fov[0], fov.size() > 1 ? fov[1] : fov[0], fov.size() > 2 ? fov[2] : fov[0]};
    constexpr double simulateShare = 0.7;
    const auto scan = simulate(options_, context.progress.part(0, simulateShare));
    writeScan(*scan, output_, context.progress.part(simulateShare, 1));
    const Trajectory& t = scan->trajectories.front();
    context.say(output_ + ": " + scan->name + ", " + sizeText(scan->geometry.matrix, scan->dims()) + ", " +
                countText(t.shots(), "shot") + ", " + std::to_string(t.samples()) + " samples, " +
                countText(scan->coils, "coil") + ", " + countText(scan->frames, "frame"));
    context.json(json_, {{"output", output_}, {"scan", toJson(*scan)}});
  }

 private:
  SimulateOptions options_;
  std::string output_, pattern_ = "radial", matrix_ = "128", fov_ = "220", json_;
};

}  // namespace

std::unique_ptr<Command> makeSimulateCommand(CLI::App& parent, const std::string& program) {
  return std::make_unique<SimulateCommand>(parent, program);
}

}  // namespace spokelab::cli
