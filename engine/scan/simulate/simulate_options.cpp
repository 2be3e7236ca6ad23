#include "engine/scan/simulate/simulate_options.h"

#include <algorithm>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

using Table = OptionTable<SimulateOptions>;
using O = SimulateOptions;

constexpr double degree = std::numbers::pi / 180, microsecond = 1e-6, millisecond = 1e-3;
constexpr double maxShots = 1e9;

template <class Value>
std::vector<std::string> namesOf(const std::vector<std::pair<std::string, Value>>& pairs) {
  std::vector<std::string> names;
  for (const auto& pair : pairs) names.push_back(pair.first);
  return names;
}

template <class Value>
Value valueOf(const std::vector<std::pair<std::string, Value>>& pairs, const std::string& name) {
  for (const auto& [text, value] : pairs)
    if (text == name) return value;
  return pairs.front().second;
}

// "128" or "128x96x64" -> three numbers, 0 where there are fewer. Throws Error.
template <class T>
std::array<T, 3> sizesOf(const std::string& name, const std::string& text) {
  if (const auto numbers = threeNumbers<T>(text)) return *numbers;
  throw Error("Cannot use " + name + " = " + text, "it is not one to three sizes",
              "Write it as in 128 or 128x96x64");
}

template <class T>
std::string textOf(const std::array<T, 3>& numbers) {
  std::string text;
  for (T n : numbers)
    if (n != 0) text += (text.empty() ? "" : "x") + exactNumberText(double(n));
  return text;
}

std::string echoTimesText(const O& o) {
  std::string text;
  for (const double t : o.echoTimes) text += (text.empty() ? "" : ",") + numberText(t / millisecond, 9);
  return text;
}

void setEchoTimes(O& o, const std::string& text) {
  o.echoTimes.clear();
  if (text.empty()) return;
  for (const double t : realNumberList(text, "Cannot use echo-times = " + text))
    o.echoTimes.push_back(t * millisecond);
}

// A number held in another unit, shown as a person writes it, without digits of the conversion.
Table::Row addScaled(Table& table, std::string name, std::string label, double maximum, std::string unit,
                     std::string help, double TrajectoryOptions::*field, double scale) {
  OptionSpec spec = optionSpec(OptionType::number, std::move(name), std::move(label), std::move(help),
                               "Trajectory", std::move(unit));
  spec.maximum = maximum;
  const auto get = [=](const O& o) {
    constexpr int digits = 12;
    char text[64];
    const auto end = std::to_chars(text, text + sizeof text, o.trajectory.*field / scale,
                                   std::chars_format::scientific, digits - 1);
    double rounded = 0;
    std::from_chars(text, end.ptr, rounded);
    return exactNumberText(rounded);
  };
  return table.add(std::move(spec), get,
                   [=](O& o, const std::string& v) { o.trajectory.*field = optionNumber(v) * scale; });
}

template <Pattern... patterns>
bool isNoneOf(const O& o) {
  return ((o.trajectory.pattern != patterns) && ...);
}

// The reasons for which an option says nothing about the scan.
using Idle = IdleRule<O>;
constexpr Idle idleOfCones{[](const O& o) { return o.trajectory.pattern == Pattern::cones; },
                           "The pattern chooses its shots"};
constexpr Idle idleUnlessSpiral{isNoneOf<Pattern::spiral2d, Pattern::stackOfSpirals, Pattern::cones>,
                                "Only spirals and cones turn"};
constexpr Idle idleUnlessStack{isNoneOf<Pattern::stackOfStars, Pattern::stackOfSpirals>,
                               "Only stacks have planes"};
constexpr Idle idleUnlessGaussian{isNoneOf<Pattern::gaussian>, "Only the pattern gaussian uses it"};
constexpr Idle idleUnlessClustered{isNoneOf<Pattern::clustered>, "Only the pattern clustered uses it"};
constexpr Idle idleUnlessJittered{isNoneOf<Pattern::jittered>, "Only the pattern jittered uses it"};
constexpr Idle idleWithoutField{[](const O& o) { return o.offResonance.shape == FieldShape::none; },
                                "The scan has no field map"};
constexpr Idle idleWithoutEchoes{[](const O& o) { return o.echoTimes.empty(); }, "The scan has one echo"};
constexpr Idle idleWithoutBreath{[](const O& o) { return o.breathingMm <= 0; },
                                 "The phantom holds its breath"};
constexpr Idle idleWithoutNoise{[](const O& o) { return o.noise <= 0 || o.coils <= 1; },
                                "Only the noise of several coils is correlated"};

void addTrajectory(Table& table) {
  const std::string group = "Trajectory";
  table.choice(
      "pattern", "Pattern", namesOf(patternNames()), "Sampling pattern", group,
      [](const O& o) { return patternName(o.trajectory.pattern); },
      [](O& o, const std::string& v) { o.trajectory.pattern = valueOf(patternNames(), v); });
  table.add(
      optionSpec(OptionType::text, "matrix", "Matrix", "Image size, as in 128 or 128x128x64", group,
                 "pixels"),
      [](const O& o) { return textOf(o.trajectory.matrix); },
      [](O& o, const std::string& v) { o.trajectory.matrix = sizesOf<std::int64_t>("matrix", v); });
  table.number(
      "acceleration", "Acceleration R", OptionType::number, 1e-3, 1e6, "", "Acceleration R; 1: fully sampled",
      group, false, [](auto& o) -> auto& { return o.trajectory.acceleration; });
  table
      .number(
          "shots", "Shots", OptionType::integer, 1, maxShots, "",
          "Shots (of each plane in a stack); auto: from the acceleration", group, true,
          [](auto& o) -> auto& { return o.trajectory.shots; })
      .idle({idleOfCones});
  table.number(
      "samples", "Samples a shot", OptionType::integer, 1, maxShots, "",
      "Samples a shot; auto: the number that the pattern needs", group, true,
      [](auto& o) -> auto& { return o.trajectory.samplesPerShot; });
  table
      .number(
          "turns", "Turns", OptionType::integer, 1, 1e6, "",
          "Turns of a spiral (of spirals and cones); auto: what the shots leave to do", group, true,
          [](auto& o) -> auto& { return o.trajectory.spiralTurns; })
      .idle({idleUnlessSpiral});
  addScaled(table, "plane-turn", "Turn from plane to plane", 360, "degrees",
            "Angle by which a stack's planes are turned from one to the next; 0: all planes alike",
            &TrajectoryOptions::planeTurn, degree)
      .idle({idleUnlessStack});
  table
      .number(
          "gaussian-width", "Gaussian width", OptionType::number, 1e-3, 10, "",
          "Standard deviation of the Gaussian pattern over the matrix", group, false,
          [](auto& o) -> auto& { return o.trajectory.gaussianWidth; })
      .idle({idleUnlessGaussian});
  table
      .number(
          "cluster-size", "Cluster size", OptionType::number, 1e-3, 65535, "cycles/FOV",
          "Side of the box that holds all points of the clustered pattern", group, false,
          [](auto& o) -> auto& { return o.trajectory.clusterSize; })
      .idle({idleUnlessClustered});
  table
      .number(
          "jitter", "Jitter", OptionType::number, 0, 1, "",
          "Range of the displacement of Cartesian points over their distance", group, false,
          [](auto& o) -> auto& { return o.trajectory.jitter; })
      .idle({idleUnlessJittered});
  addScaled(table, "dwell", "Dwell time", 1e6, "us", "Time from sample to sample",
            &TrajectoryOptions::dwellSeconds, microsecond);
  addScaled(table, "start", "First sample", 1e5, "ms", "Time of a shot's first sample after the excitation",
            &TrajectoryOptions::startSeconds, millisecond);
}

void addScan(Table& table) {
  const std::string group = "Scan";
  table.choice(
      "phantom", "Phantom", {"head", "bars", "tubes"},
      "head: Shepp and Logan's; bars: groups of fine bars; tubes: seven round tubes", group,
      [](const O& o) { return phantomName(o.phantom); },
      [](O& o, const std::string& v) {
        o.phantom = v == "bars" ? PhantomKind::bars : v == "tubes" ? PhantomKind::tubes : PhantomKind::head;
      });
  table.choice(
      "field", "Field map", namesOf(fieldNames()),
      "Off-resonance; samples are then exact sums over a grid twice as fine as the image: slow", group,
      [](const O& o) {
        for (const auto& [name, shape] : fieldNames())
          if (shape == o.offResonance.shape) return name;
        return std::string();
      },
      [](O& o, const std::string& v) { o.offResonance.shape = valueOf(fieldNames(), v); });
  table
      .number(
          "field-peak", "Peak off-resonance", OptionType::number, -1e5, 1e5, "Hz",
          "Largest off-resonance of the field map", group, false,
          [](auto& o) -> auto& { return o.offResonance.peakHz; })
      .idle({idleWithoutField});
  table.number(
      "decay", "R2*", OptionType::number, 0, 1e5, "1/s",
      "R2* at the front of the field of view, half of it at the back; samples are then exact sums: slow",
      group, false, [](auto& o) -> auto& { return o.offResonance.decay; });
  OptionSpec echoes =
      optionSpec(OptionType::text, "echo-times", "Echo times",
                 "Echo times in ms, as in 2,4.3,6.6: each frame has these echoes; empty: one, without a name",
                 group, "ms");
  echoes.empty = "one echo";
  table.add(std::move(echoes), echoTimesText, setEchoTimes);
  table
      .flag(
          "t2", "T2 decays",
          "The phantom's shapes decay from echo to echo with T2 of 40 to 1000 ms; a golden angle "
          "continues over the echoes",
          group, [](auto& o) -> auto& { return o.decayShapes; })
      .idle({idleWithoutEchoes});
  table.number(
      "fingerprint", "Fingerprint", OptionType::integer, 0, 1000, "excitations",
      "Excitations of MR fingerprinting, a frame each: shapes have T1 and T2, and a golden angle "
      "continues over the frames; 0: none",
      group, false, [](auto& o) -> auto& { return o.fingerprint; });
  table.number(
      "shot-phase", "Shot phase", OptionType::number, 0, 100, "rad",
      "Largest phase of a shot, as motion leaves it: constant and linear, random; for pcSENSE", group, false,
      [](auto& o) -> auto& { return o.shotPhase; });
  table.number(
      "breathing", "Breathing", OptionType::number, 0, 1000, "mm",
      "Way of the phantom along y in a breath, while shots are measured; 0: it holds its breath", group,
      false, [](auto& o) -> auto& { return o.breathingMm; });
  table
      .number(
          "breath-shots", "Shots of a breath", OptionType::integer, 2, 1e6, "", "Shots of a breath", group,
          false, [](auto& o) -> auto& { return o.breathShots; })
      .idle({idleWithoutBreath});
  table.number(
      "heart-shots", "Shots of a heartbeat", OptionType::integer, 0, 1e6, "",
      "Shots of a heartbeat, in which a round heart in the phantom shrinks and widens; 0: it has none", group,
      false, [](auto& o) -> auto& { return o.heartShots; });
  table.number(
      "coils", "Coils", OptionType::integer, 1, 1024, "", "Receive coils", group, false,
      [](auto& o) -> auto& { return o.coils; });
  table.number(
      "frames", "Frames", OptionType::integer, 1, 65536, "", "Frames", group, false,
      [](auto& o) -> auto& { return o.frames; });
  table.add(
      optionSpec(OptionType::text, "fov", "Field of view", "Field of view in mm, as in 220 or 220x220x110",
                 group, "mm"),
      [](const O& o) { return textOf(o.fov); },
      [](O& o, const std::string& v) { o.fov = sizesOf<double>("fov", v); });
  table.number(
      "noise", "Noise", OptionType::number, 0, 1e6, "",
      "Noise of real and imaginary part, over the rms signal", group, false,
      [](auto& o) -> auto& { return o.noise; });
  table
      .number(
          "noise-correlation", "Noise correlation", OptionType::number, 0, 0.999, "",
          "Correlation of the noise of neighbouring coils", group, false,
          [](auto& o) -> auto& { return o.noiseCorrelation; })
      .idle({idleWithoutNoise});
  OptionSpec seed = optionSpec(OptionType::integer, "seed", "Seed", "Seed of noise and random points", group);
  seed.maximum = 4294967295.0;
  table.add(
      std::move(seed), [](const O& o) { return std::to_string(o.seed); },
      [](O& o, const std::string& v) { o.seed = o.trajectory.seed = unsigned(optionNumber(v)); });
}

const Table& table() {
  static const Table whole = [] {
    Table t;
    addTrajectory(t);
    addScan(t);
    return t;
  }();
  return whole;
}

}  // namespace

const std::vector<OptionSpec>& simulateOptionTable() {
  return table().specs();
}

std::string optionValue(const SimulateOptions& options, const std::string& name) {
  return table().value(options, name);
}

void setOption(SimulateOptions& options, const std::string& name, const std::string& value) {
  table().set(options, name, value);
}

bool optionApplies(const SimulateOptions& options, const std::string& name) {
  return table().whyIdle(options, name).empty();
}

void requireApplicable(const SimulateOptions& options) {
  const SimulateOptions defaults;
  for (const OptionSpec& spec : simulateOptionTable())
    if (!optionApplies(options, spec.name) &&
        optionValue(options, spec.name) != optionValue(defaults, spec.name))
      throw Error("Cannot use " + spec.name + " = " + optionValue(options, spec.name),
                  "it says nothing about a scan with these options", "Leave it out");
}

SimulateOptions simulateOptions(const std::map<std::string, std::string>& values) {
  SimulateOptions options;
  setOption(options, "matrix", "128");
  std::string preset;
  for (const auto& [name, value] : values)
    if (name == "preset")
      preset = value;
    else
      setOption(options, name, value);
  if (!preset.empty()) {
    const auto presets = simulatePresets(options.trajectory.pattern);
    const auto named = std::find_if(presets.begin(), presets.end(),
                                    [&](const SimulatePreset& p) { return p.name == preset; });
    if (named == presets.end())
      throw Error("Cannot use the preset " + preset,
                  presets.empty()
                      ? "there are presets for the patterns radial3d, gaussian and stack-of-spirals"
                      : "a preset of that name does not exist",
                  presets.empty() ? "Choose one of them" : "Use one of multicore-1 ... multicore-5");
    for (const auto& [name, value] : named->values) setOption(options, name, value);
  }
  requireApplicable(options);
  return options;
}

std::vector<SimulatePreset> simulatePresets(Pattern pattern) {
  struct Row {
    int n, samples, shots;
    const char* rate;
  };
  constexpr Row rows[] = {{128, 256, 4096, "0.5"},
                          {256, 512, 24576, "0.75"},
                          {256, 512, 32768, "1"},
                          {256, 512, 40960, "1.25"},
                          {320, 640, 12800, "0.25"}};
  if (pattern != Pattern::radial3d && pattern != Pattern::gaussian && pattern != Pattern::stackOfSpirals)
    return {};
  std::vector<SimulatePreset> presets;
  int number = 0;
  for (const Row& row : rows) {
    const int shots = pattern == Pattern::stackOfSpirals ? row.shots / row.n : row.shots;
    const std::string n = std::to_string(row.n);
    presets.push_back({"multicore-" + std::to_string(++number),
                       "Table I of multicore-nufft: N = " + n + ", " + std::to_string(row.shots) +
                           " interleaves of " + std::to_string(row.samples) + ", sampling rate " + row.rate,
                       {{"matrix", n + "x" + n + "x" + n},
                        {"shots", std::to_string(shots)},
                        {"samples", std::to_string(row.samples)}}});
  }
  return presets;
}

}  // namespace spokelab
