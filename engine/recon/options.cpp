#include "engine/recon/options.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <set>
#include <utility>

#include "engine/core/error.h"

namespace spokelab {
namespace {

constexpr std::string_view automatic = "auto";
constexpr double bytesPerGigabyte = 1e9;

constexpr std::pair<DensityMethod, std::string_view> densityNames[] = {
    {DensityMethod::automatic, "auto"},
    {DensityMethod::file, "file"},
    {DensityMethod::analytic, "analytic"},
    {DensityMethod::pipeMenon, "pipe-menon"},
    {DensityMethod::none, "none"}};
constexpr std::pair<Combination, std::string_view> combinationNames[] = {{Combination::rootSumSquares, "rss"},
                                                                         {Combination::none, "none"}};
constexpr std::pair<Precision, std::string_view> precisionNames[] = {{Precision::single, "single"},
                                                                     {Precision::dbl, "double"}};
constexpr KernelType kernels[] = {KernelType::kaiserBessel, KernelType::semicircle, KernelType::prolate};
constexpr TuneEffort efforts[] = {TuneEffort::estimate, TuneEffort::measure, TuneEffort::exhaustive};
constexpr Method methods[] = {Method::automatic,  Method::blocked, Method::pointDriven,  Method::pointSorted,
                              Method::subproblem, Method::sector,  Method::outputDriven, Method::fixedPoint,
                              Method::tensor,     Method::sparse};
constexpr NormalMethod normals[] = {NormalMethod::automatic, NormalMethod::gridded, NormalMethod::toeplitz,
                                    NormalMethod::toeplitzShifted};

template <class T, std::size_t n>
std::string_view nameIn(const std::pair<T, std::string_view> (&table)[n], T value) {
  for (const auto& [v, name] : table)
    if (v == value) return name;
  return table[0].second;
}

template <class T, std::size_t n>
T valueIn(const std::pair<T, std::string_view> (&table)[n], const std::string& name) {
  for (const auto& [v, text] : table)
    if (text == name) return v;
  return table[0].first;
}

template <class T, std::size_t n>
std::vector<std::string> namesOf(const std::pair<T, std::string_view> (&table)[n]) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.emplace_back(entry.second);
  return names;
}

template <class T, std::size_t n>
std::vector<std::string> namesOf(const T (&values)[n], std::string_view (*name)(T)) {
  std::vector<std::string> names;
  for (T value : values) names.emplace_back(name(value));
  return names;
}

std::string numberText(double value) {
  char text[64];
  const auto end = std::to_chars(text, text + sizeof text, value);
  return {text, end.ptr};
}

// One option: what users see, and how it is read and written.
struct Row {
  OptionSpec spec;
  std::function<std::string(const ReconOptions&)> get;
  std::function<void(ReconOptions&, const std::string&)> set;  // the value has passed the checks of `spec`
};

Row choiceRow(std::string name, std::string label, std::vector<std::string> choices, std::string help,
              std::string group, std::function<std::string(const ReconOptions&)> get,
              std::function<void(ReconOptions&, const std::string&)> set) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.label = std::move(label);
  spec.type = OptionType::choice;
  spec.choices = std::move(choices);
  spec.help = std::move(help);
  spec.group = std::move(group);
  return {std::move(spec), std::move(get), std::move(set)};
}

// `field(options)` is a reference to the number; the option's value times `scale` is what the field holds.
template <class Field>
Row numberRow(std::string name, std::string label, OptionType type, double minimum, double maximum,
              std::string unit, std::string help, std::string group, bool isAutomatic, Field field,
              double scale = 1) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.label = std::move(label);
  spec.type = type;
  spec.minimum = minimum;
  spec.maximum = maximum;
  spec.unit = std::move(unit);
  spec.help = std::move(help);
  spec.group = std::move(group);
  spec.automatic = isAutomatic;
  return {std::move(spec),
          [=](const ReconOptions& options) {
            const double value = double(field(const_cast<ReconOptions&>(options))) / scale;
            return isAutomatic && value <= 0 ? std::string(automatic) : numberText(value);
          },
          [=](ReconOptions& options, const std::string& text) {
            double value = 0;
            if (text != automatic) std::from_chars(text.data(), text.data() + text.size(), value);
            auto& target = field(options);
            using Target = std::remove_reference_t<decltype(target)>;
            if constexpr (std::is_integral_v<Target>)
              target = Target(std::llround(value * scale));
            else
              target = value * scale;
          }};
}

Row textRow(std::string name, std::string label, std::string help, std::string ReconOptions::*field) {
  OptionSpec spec;
  spec.name = std::move(name);
  spec.label = std::move(label);
  spec.type = OptionType::text;
  spec.help = std::move(help);
  spec.group = "Reconstruction";
  return {std::move(spec), [=](const ReconOptions& o) { return o.*field; },
          [=](ReconOptions& o, const std::string& v) { o.*field = v; }};
}

Row binsRow() {
  OptionSpec spec;
  spec.name = "bins";
  spec.label = "Bin size";
  spec.type = OptionType::text;
  spec.unit = "grid cells";
  spec.help = "Bin or tile size in grid cells along x, y, z, as in 16x16x8; auto: the method's choice";
  spec.group = "Plan";
  spec.automatic = true;
  auto get = [](const ReconOptions& o) {
    const Index3& bins = o.nufft.bins;
    if (bins == Index3{0, 0, 0}) return std::string(automatic);
    return std::to_string(bins[0]) + 'x' + std::to_string(bins[1]) + 'x' + std::to_string(bins[2]);
  };
  auto set = [](ReconOptions& o, const std::string& text) {
    Index3 bins{0, 0, 0};
    if (text != automatic && text != "0") {
      const char* at = text.data();
      const char* const end = at + text.size();
      for (std::size_t d = 0; d < bins.size(); ++d) {
        const auto read = std::from_chars(at, end, bins[d]);
        const bool last = read.ptr == end;
        if (read.ec != std::errc() || bins[d] < 1 || (!last && (*read.ptr != 'x' || d + 1 == bins.size())))
          throw Error("Cannot use bins = " + text, "it is not a list of sizes like 16x16x8",
                      "Write sizes, or auto");
        if (last) break;
        at = read.ptr + 1;
      }
      for (auto& size : bins) size = std::max<std::int64_t>(size, 1);
    }
    o.nufft.bins = bins;
  };
  return {std::move(spec), get, set};
}

std::vector<Row> makeRows() {
  using O = ReconOptions;
  std::vector<Row> rows;
  rows.push_back(numberRow("accuracy", "Accuracy ε", OptionType::number, 1e-14, 0.5, "",
                           "Relative l2 error that the transform may have", "Accuracy", false,
                           [](O& o) -> double& { return o.nufft.accuracy; }));
  rows.push_back(choiceRow(
      "precision", "Precision", namesOf(precisionNames), "Arithmetic of the transform", "Accuracy",
      [](const O& o) { return std::string(precisionName(o.precision)); },
      [](O& o, const std::string& v) { o.precision = valueIn(precisionNames, v); }));
  rows.push_back(choiceRow(
      "effort", "Tuning effort", namesOf(efforts, effortName),
      "estimate: trust the cost model; measure: time the promising plans; exhaustive: time all", "Plan",
      [](const O& o) { return std::string(effortName(o.effort)); },
      [](O& o, const std::string& v) { o.effort = effortFromName(v); }));
  rows.push_back(choiceRow(
      "backend", "Backend", {"auto", "cpu", "cuda"},
      "Machine to run on; auto: the one where the plan is fastest", "Plan",
      [](const O& o) { return o.backend; }, [](O& o, const std::string& v) { o.backend = v; }));
  rows.push_back(numberRow("alpha", "Oversampling ratio α", OptionType::number, 1.0001, 2.5, "",
                           "Size of the oversampled grid over that of the image; auto: tuned", "Plan", true,
                           [](O& o) -> double& { return o.nufft.alpha; }));
  rows.push_back(
      numberRow("width", "Kernel width W", OptionType::number, 1, 16, "grid cells",
                "Full width of the kernel in grid cells, any real number; auto: the smallest that meets "
                "the accuracy",
                "Plan", true, [](O& o) -> double& { return o.nufft.width; }));
  rows.push_back(choiceRow(
      "kernel", "Kernel", namesOf(kernels, kernelName), "Spreading kernel", "Plan",
      [](const O& o) { return std::string(kernelName(o.nufft.kernel)); },
      [](O& o, const std::string& v) { o.nufft.kernel = kernelFromName(v); }));
  rows.push_back(choiceRow(
      "spread", "Spreading method", namesOf(methods, methodName),
      "How samples are spread onto the grid; auto: tuned among those of the backend", "Plan",
      [](const O& o) { return std::string(methodName(o.nufft.spread)); },
      [](O& o, const std::string& v) { o.nufft.spread = methodFromName(v); }));
  rows.push_back(choiceRow(
      "interpolate", "Interpolation method", namesOf(methods, methodName),
      "How the grid is interpolated at the samples; auto: tuned among those of the backend", "Plan",
      [](const O& o) { return std::string(methodName(o.nufft.interpolate)); },
      [](O& o, const std::string& v) { o.nufft.interpolate = methodFromName(v); }));
  rows.push_back(choiceRow(
      "normal", "Normal operator", namesOf(normals, normalMethodName),
      "How forward, weights and adjoint are applied together; auto: the backend's choice", "Plan",
      [](const O& o) { return std::string(normalMethodName(o.nufft.normal)); },
      [](O& o, const std::string& v) { o.nufft.normal = normalMethodFromName(v); }));
  rows.push_back(binsRow());
  rows.push_back(numberRow("max-subproblem", "Points a subproblem", OptionType::integer, 1, 1 << 20, "points",
                           "GPU subproblem method: most points in one subproblem; auto: the method's choice",
                           "Plan", true, [](O& o) -> int& { return o.nufft.maxSubproblem; }));
  rows.push_back(numberRow("threads", "Threads", OptionType::integer, 1, 1024, "", "CPU threads; auto: all",
                           "Plan", true, [](O& o) -> int& { return o.nufft.threads; }));
  rows.push_back(numberRow(
      "memory-limit", "Memory limit", OptionType::number, 1e-3, 1e5, "GB",
      "Memory that a plan may take; auto: no limit", "Plan", true,
      [](O& o) -> std::int64_t& { return o.nufft.memoryLimit; }, bytesPerGigabyte));
  rows.push_back(choiceRow(
      "density", "Density compensation", namesOf(densityNames),
      "auto: the file's, else analytic where the trajectory is radial, else Pipe-Menon", "Reconstruction",
      [](const O& o) { return std::string(densityName(o.density)); },
      [](O& o, const std::string& v) { o.density = valueIn(densityNames, v); }));
  rows.push_back(numberRow("pipe-menon-iterations", "Pipe-Menon iterations", OptionType::integer, 1, 1000, "",
                           "Iterations of the Pipe-Menon density compensation", "Reconstruction", false,
                           [](O& o) -> int& { return o.pipeMenonIterations; }));
  rows.push_back(choiceRow(
      "combine", "Coil combination", namesOf(combinationNames),
      "rss: root of the sum of squares; none: the first frame's coils become frames", "Reconstruction",
      [](const O& o) { return std::string(combinationName(o.combination)); },
      [](O& o, const std::string& v) { o.combination = valueIn(combinationNames, v); }));
  OptionSpec exact;
  exact.name = "exact";
  exact.label = "Exact sums";
  exact.type = OptionType::flag;
  exact.help = "Sum exactly in double precision instead of using a plan: slow, the reference";
  exact.group = "Reconstruction";
  rows.push_back({std::move(exact), [](const O& o) { return std::string(o.exact ? "true" : "false"); },
                  [](O& o, const std::string& v) { o.exact = v == "true"; }});
  rows.push_back(textRow("frames", "Frames", "Frames to reconstruct, as in 0-3,7; empty: all", &O::frames));
  rows.push_back(
      textRow("slices", "Slices", "2-D slices to reconstruct, as in 0-3,7; empty: all", &O::slices));
  return rows;
}

const std::vector<Row>& rows() {
  static const std::vector<Row> all = makeRows();
  return all;
}

const Row& row(const std::string& name) {
  std::string known;
  for (const Row& r : rows()) {
    if (r.spec.name == name) return r;
    known += (known.empty() ? "" : ", ") + r.spec.name;
  }
  throw Error("Cannot use the option " + name, "there is no option of that name", "Use one of: " + known);
}

std::string join(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

void checkNumber(const OptionSpec& spec, const std::string& text) {
  if (spec.automatic && (text == automatic || text == "0")) return;
  const std::string range = "Give a number from " + numberText(spec.minimum) + " to " +
                            numberText(spec.maximum) + (spec.automatic ? ", or auto" : "");
  double value = 0;
  const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
  if (read.ec != std::errc() || read.ptr != text.data() + text.size() || !std::isfinite(value))
    throw Error("Cannot use " + spec.name + " = " + text, "it is not a number", range);
  if (spec.type == OptionType::integer && value != std::floor(value))
    throw Error("Cannot use " + spec.name + " = " + text, "it is not a whole number", range);
  if (spec.automatic && value == 0) return;
  if (value < spec.minimum || value > spec.maximum)
    throw Error("Cannot use " + spec.name + " = " + text, "it is out of range", range);
}

}  // namespace

const std::vector<OptionSpec>& reconOptionTable() {
  static const std::vector<OptionSpec> table = [] {
    std::vector<OptionSpec> specs;
    for (const Row& r : rows()) specs.push_back(r.spec);
    return specs;
  }();
  return table;
}

std::string optionValue(const ReconOptions& options, const std::string& name) {
  return row(name).get(options);
}

void setOption(ReconOptions& options, const std::string& name, const std::string& value) {
  const Row& r = row(name);
  const OptionSpec& spec = r.spec;
  switch (spec.type) {
    case OptionType::number:
    case OptionType::integer:
      checkNumber(spec, value);
      break;
    case OptionType::choice:
      if (std::find(spec.choices.begin(), spec.choices.end(), value) == spec.choices.end())
        throw Error("Cannot use " + name + " = " + value, "there is no such choice",
                    "Use one of: " + join(spec.choices));
      break;
    case OptionType::flag:
      if (value != "true" && value != "false")
        throw Error("Cannot use " + name + " = " + value, "it is neither true nor false",
                    "Use true or false");
      break;
    case OptionType::text:
      break;
  }
  if (name == "frames" || name == "slices") selection(value, 0, name);
  r.set(options, value);
}

std::string_view densityName(DensityMethod method) {
  return nameIn(densityNames, method);
}
std::string_view combinationName(Combination combination) {
  return nameIn(combinationNames, combination);
}
std::string_view precisionName(Precision precision) {
  return nameIn(precisionNames, precision);
}

std::vector<int> selection(const std::string& text, int count, const std::string& what) {
  std::set<int> chosen;
  if (text.empty() || text == "all") {
    for (int i = 0; i < count; ++i) chosen.insert(i);
    return {chosen.begin(), chosen.end()};
  }
  const std::string remedy = "Write numbers from 0 and ranges, as in 0-3,7";
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    int first = 0;
    auto read = std::from_chars(at, end, first);
    int last = first;
    if (read.ec == std::errc() && read.ptr != end && *read.ptr == '-')
      read = std::from_chars(read.ptr + 1, end, last);
    if (read.ec != std::errc() || first < 0 || last < first || (read.ptr != end && *read.ptr != ','))
      throw Error("Cannot use " + what + " = " + text, "it is not a list of numbers", remedy);
    // A count of 0 means that only the form is checked.
    if (count > 0) {
      if (last >= count)
        throw Error("Cannot use " + what + " = " + text,
                    "number " + std::to_string(last) + " is asked for, but the scan has " +
                        std::to_string(count) +
                        (count == 1 ? " (number 0)" : " (0 to " + std::to_string(count - 1) + ")"),
                    remedy);
      for (int i = first; i <= last; ++i) chosen.insert(i);
    }
    if (read.ptr == end) break;
    at = read.ptr + 1;
  }
  return {chosen.begin(), chosen.end()};
}

}  // namespace spokelab
