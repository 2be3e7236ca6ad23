#include "engine/profile/study/gnufftw/study_tuned.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "engine/nufft/tune/sweep/sweep.h"
#include "engine/profile/study/gnufftw/tuned_variants.h"
#include "engine/profile/study/study_definition.h"
#include "engine/profile/study/study_problem.h"
#include "engine/profile/study/study_quartiles.h"

namespace spokelab {
namespace {

// The paper's means leave out its two smallest sizes, at which sectors do badly.
constexpr int minAveragedSize = 126;

// The paper's baseline on the CPU is BART's transform, whatever the accuracy: its plug-in where it
// takes part, else our plan of the same ratio and width.
constexpr const char *bartBackend = "bart", *bartName = "bart one thread";
constexpr const char* plainName = "cpu one thread, alpha 2, W 3";
constexpr double plainAlpha = 2, plainWidth = 3, anyAccuracy = 0.5;

constexpr ListedMethod tunedList[] = {{cpuBackend, Method::blocked},    {cpuBackend, Method::sector},
                                      {cpuBackend, Method::sparse},     {gpuBackend, Method::pointDriven},
                                      {gpuBackend, Method::sector},     {gpuBackend, Method::sparse},
                                      {gpuBackend, Method::cusparse},   {gpuBackend, Method::subproblem},
                                      {gpuBackend, Method::fixedPoint}, {gpuBackend, Method::tensor}};
constexpr NormalMethod convolutions[] = {NormalMethod::toeplitz, NormalMethod::toeplitzShifted};

std::string accuracyText(const StudyCase& c) {
  return ", accuracy " + numberText(c.accuracy, 3);
}
std::string accelerationText(const StudyCase& c) {
  return ", R " + numberText(c.acceleration, 3);
}

// Means over the sizes of one pattern and acceleration.
class Means {
 public:
  void take(const StudyRow& row, double value) {
    if (row.refused.empty()) groups_[{row.variant, row.direction, row.c.accuracy}].push_back({row, value});
  }
  // place(row, values): puts a row at its mean. A group with only one size is left out.
  template <class Place>
  void add(const Place& place) {
    for (auto& [key, all] : groups_) {
      std::vector<double> large, values;
      for (const auto& [row, value] : all) {
        values.push_back(value);
        if (row.c.size >= minAveragedSize) large.push_back(value);
      }
      if (!large.empty()) values = large;
      StudyRow mean;
      mean.c = all.front().first.c;
      mean.c.size = 0;
      mean.c.points = 0;
      mean.variant = mean.series = all.front().first.variant;
      mean.direction = all.front().first.direction;
      mean.candidate.backend = all.front().first.candidate.backend;
      mean.x = mean.c.acceleration;
      mean.timedOnce = std::any_of(all.begin(), all.end(),
                                   [](const auto& one) { return isTimedOnce(one.first.candidate); });
      if (values.size() > 1) place(mean, values);
    }
    groups_.clear();
  }

 private:
  std::map<std::tuple<std::string, std::string, double>, std::vector<std::pair<StudyRow, double>>> groups_;
};

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

std::vector<TunedVariant> withFixedAlphas(const std::vector<TunedVariant>& tuned,
                                          const std::vector<double>& alphas) {
  std::vector<TunedVariant> variants;
  for (const TunedVariant& v : tuned) {
    variants.push_back(v);
    variants.back().name += ", tuned";
    for (const double alpha : alphas) {
      variants.push_back(v);
      variants.back().options.alpha = alpha;
      variants.back().name += ", alpha " + numberText(alpha);
    }
  }
  return variants;
}

bool isBaseline(const std::string& variant) {
  return variant == plainName || variant == bartName;
}

// Inserts the baselines, BART and CPU, before the first variant of each operation.
std::vector<TunedVariant> withBaseline(const StudyRun& run, const TunedCase& c,
                                       const std::vector<TunedVariant>& variants) {
  std::vector<TunedVariant> withBaselines;
  std::set<std::string> operations;
  for (const TunedVariant& v : variants) {
    if (operations.insert(v.operation).second) {
      const Direction direction = v.direction == Direction::normal ? Direction::both : v.direction;
      TunedVariant base{bartName, v.operation, run.backend(bartBackend), c.base.options, direction};
      base.options.threads = 1;
      base.options.accuracy = anyAccuracy;
      if (base.backend) withBaselines.push_back(base);
      base.name = plainName;
      base.backend = run.backend(cpuBackend);
      base.options.alpha = plainAlpha;
      base.options.width = plainWidth;
      base.options.spread = base.options.interpolate = Method::blocked;
      if (base.backend) withBaselines.push_back(base);
    }
    withBaselines.push_back(v);
  }
  return withBaselines;
}

// A case's variants with speed-ups over the first baseline of each operation that ran.
void runAgainstBaseline(StudyRun& run, const TunedCase& c, const std::vector<TunedVariant>& compared,
                        Means& means, const Progress& progress) {
  const std::vector<TunedVariant> variants = withBaseline(run, c, compared);
  std::map<std::string, double> baseline;
  for (std::size_t i = 0; i < variants.size(); ++i) {
    const double parts = double(variants.size());
    StudyRow row = tuneVariant(c, variants[i], progress.part(double(i) / parts, double(i + 1) / parts));
    if (row.refused.empty()) {
      // 0: no speed-ups.
      if (!baseline.contains(row.direction))
        baseline[row.direction] = isBaseline(row.variant) ? row.seconds : 0;
      row.speedUp = baseline[row.direction] / row.seconds;
      if (row.speedUp > 0)
        row.panel = c.c.pattern + accelerationText(c.c) + accuracyText(c.c) + ", " + row.direction;
      row.series = row.variant;
      row.x = c.c.size;
      row.y = row.speedUp;
      addSpeedQuartiles(row);
      means.take(row, row.speedUp);
    }
    run.add(std::move(row));
  }
}

void addMeanSpeedUps(StudyRun& run, Means& means) {
  means.add([&](StudyRow row, const std::vector<double>& speedUps) {
    row.panel = row.c.pattern + accuracyText(row.c) + ", " + row.direction + ", mean over N";
    const auto [least, most] = std::minmax_element(speedUps.begin(), speedUps.end());
    const auto place = [&](const char* which, double value) {
      StudyRow placed = row;
      placed.yLow = placed.yHigh = 0;
      placed.series += which;
      placed.y = placed.speedUp = value;
      if (value > 0) run.add(std::move(placed));
    };
    place("", meanOf(speedUps));
    place(", least", *least);
    place(", most", *most);
  });
}

void addSweep(StudyRun& run, const TunedCase& c, const TunedVariant& variant, const Progress& progress) {
  const auto add = [&](const Candidate& candidate) {
    const StudyRow whole = rowOf(c.c, variant, candidate);
    if (!whole.refused.empty()) return run.add(whole);
    const std::pair<const char*, double> parts[] = {{"", candidate.timings.total},
                                                    {", interpolation", candidate.timings.interpolation()},
                                                    {", FFT", candidate.timings.fft()}};
    for (const auto& [what, seconds] : parts) {
      StudyRow row = whole;
      if (candidate.options.alpha > 0)  // a plug-in may tell none
        row.panel = c.c.pattern + accelerationText(c.c) + accuracyText(c.c) + ", N " +
                    std::to_string(c.c.size) + ", " + variant.operation;
      row.series = variant.name + what;
      row.x = candidate.options.alpha;
      row.y = seconds / millisecond;
      if (seconds == candidate.timings.total) addTimeQuartiles(row);
      run.add(std::move(row));
    }
  };
  SweepRequest over;
  over.base = c.base;
  over.base.options = variant.options;
  over.alphas = run.request().alphas;
  over.base.workload.direction = variant.direction;
  NufftBackend* const backends[] = {variant.backend};
  try {
    const TuneResult result = sweep(backends, over, progress);
    for (const Candidate& candidate : result.candidates) add(candidate);
    if (result.cancelled) throw Cancelled{};
  } catch (const Error& e) {
    Candidate none;
    none.backend = variant.backend->name();
    none.options = variant.options;
    none.refused = e.reason();
    run.add(rowOf(c.c, variant, none));
  }
}

std::vector<TunedVariant> variantsOf(const StudyRun& run, const TunedCase& c, Direction direction) {
  std::vector<TunedVariant> variants =
      listedVariants(run, c.base.problem, c.base.options, direction, tunedList);
  for (TunedVariant& plugin : pluginVariants(run, c.base.options, direction))
    variants.push_back(std::move(plugin));
  return variants;
}

// The fastest plan of a variant over these ratios; none: over all.
StudyRow tuneAmong(const std::vector<double>& alphas, const TunedCase& c, const TunedVariant& variant,
                   const Progress& progress) {
  if (alphas.empty()) return tuneVariant(c, variant, progress);
  std::optional<StudyRow> best;
  for (std::size_t i = 0; i < alphas.size(); ++i) {
    TunedVariant fixed = variant;
    fixed.options.alpha = alphas[i];
    const double parts = double(alphas.size());
    StudyRow row = tuneVariant(c, fixed, progress.part(double(i) / parts, double(i + 1) / parts));
    if (!best || (row.refused.empty() && (!best->refused.empty() || row.seconds < best->seconds)))
      best = std::move(row);
  }
  return *best;
}

}  // namespace

std::vector<std::string> tunedMethods() {
  return namesOf(tunedList);
}

std::vector<std::string> comparedMethods() {
  std::vector<std::string> names = namesOf(tunedList);
  names.insert(names.begin(), plainName);
  return names;
}

std::vector<std::string> implementationMethods() {
  std::vector<std::string> names = comparedMethods();
  for (const char* backend : {"cpu ", "cuda "})
    for (const NormalMethod method : convolutions)
      names.push_back(backend + std::string(normalMethodName(method)));
  return names;
}

void studyAlpha(StudyRun& run) {
  addMissing(run, tunedList);
  forTunedCases(
      run,
      [&](const TunedCase& c, const Progress& progress) {
        std::vector<TunedVariant> variants = variantsOf(run, c, Direction::adjoint);
        for (TunedVariant& v : variantsOf(run, c, Direction::forward)) variants.push_back(std::move(v));
        const double parts = double(variants.size());
        for (std::size_t i = 0; i < variants.size(); ++i)
          addSweep(run, c, variants[i], progress.part(double(i) / parts, double(i + 1) / parts));
      },
      [](const std::string&, double) {});
}

void studyBestAlpha(StudyRun& run) {
  addMissing(run, tunedList);
  Means means;
  forTunedCases(
      run,
      [&](const TunedCase& c, const Progress& progress) {
        const auto variants = variantsOf(run, c, Direction::both);
        const double parts = double(variants.size());
        for (std::size_t i = 0; i < variants.size(); ++i) {
          StudyRow row = tuneAmong(run.request().alphas, c, variants[i],
                                   progress.part(double(i) / parts, double(i + 1) / parts));
          if (row.refused.empty() && row.candidate.options.alpha > 0) {  // a plug-in may tell none
            row.panel = row.variant + ", N " + std::to_string(c.c.size);
            row.series = c.c.pattern + accuracyText(c.c);
            row.x = c.c.acceleration;
            row.y = row.candidate.options.alpha;
            means.take(row, row.y);
          }
          run.add(std::move(row));
        }
      },
      [&](const std::string&, double) {
        means.add([&](StudyRow row, const std::vector<double>& alphas) {
          row.panel = row.variant + ", mean over N";
          row.series = row.c.pattern + accuracyText(row.c);
          row.y = meanOf(alphas);
          run.add(std::move(row));
        });
      });
}

void studyFixedAlpha(StudyRun& run) {
  addMissing(run, tunedList);
  Means means;
  forTunedCases(
      run,
      [&](const TunedCase& c, const Progress& progress) {
        runAgainstBaseline(run, c, withFixedAlphas(variantsOf(run, c, Direction::both), run.request().alphas),
                           means, progress);
      },
      [&](const std::string&, double) { addMeanSpeedUps(run, means); });
}

void studyImplementations(StudyRun& run) {
  addMissing(run, tunedList);
  for (const char* backend : {cpuBackend, gpuBackend})
    for (const NormalMethod method : convolutions)
      if (!run.backend(backend))
        run.add(refusedRow(backend, backend + (" " + std::string(normalMethodName(method)))));
  Means means;
  forTunedCases(
      run,
      [&](const TunedCase& each, const Progress& progress) {
        const TunedCase c = atRatio(each, run.request());
        std::vector<TunedVariant> variants = variantsOf(run, c, Direction::both);
        for (NufftBackend* backend : run.backends())
          for (const NormalMethod method : convolutions) {
            if (isPlugin(backend->name())) continue;  // it has none
            TunedVariant v{backend->name() + " " + std::string(normalMethodName(method)), bothText, backend,
                           c.base.options, Direction::normal};
            v.options.normal = method;
            variants.push_back(std::move(v));
          }
        for (const Direction direction : {Direction::adjoint, Direction::forward})
          for (TunedVariant& v : variantsOf(run, c, direction)) variants.push_back(std::move(v));
        runAgainstBaseline(run, c, variants, means, progress);
      },
      [&](const std::string&, double) { addMeanSpeedUps(run, means); });
}

}  // namespace spokelab
