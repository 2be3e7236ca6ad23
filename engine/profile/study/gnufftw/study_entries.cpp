#include "engine/profile/study/gnufftw/study_entries.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "engine/profile/study/gnufftw/tuned_variants.h"

namespace spokelab {
namespace {

constexpr double slopeUnit = 1e-9;  // s an entry
constexpr std::size_t minFitted = 3;

constexpr ListedMethod entryList[] = {{cpuBackend, Method::blocked},
                                      {cpuBackend, Method::sparse},
                                      {gpuBackend, Method::pointDriven},
                                      {gpuBackend, Method::sparse},
                                      {gpuBackend, Method::cusparse}};

// The line of interpolation time over entries, for one pattern, implementation and operation.
struct Line {
  StudyRow any;
  std::vector<double> entries, seconds;
};

// Measures all cases; `seen` gets each row with entries in x, `fitted` each pattern's lines.
void measure(StudyRun& run, const std::function<void(StudyRow)>& seen,
             const std::function<void(const Line&)>& fitted) {
  addMissing(run, entryList);
  std::map<std::pair<std::string, std::string>, Line> lines;
  const auto oneCase = [&](const TunedCase& each, const Progress& progress) {
    const TunedCase c = atRatio(each, run.request());
    double part = 0;
    for (const Direction direction : {Direction::adjoint, Direction::forward}) {
      const auto variants = listedVariants(run, c.base.problem, c.base.options, direction, entryList);
      const double share = 0.5 / double(variants.size());
      for (const TunedVariant& variant : variants) {
        StudyRow row = tuneVariant(c, variant, progress.part(part, part + share));
        part += share;
        row.x = double(c.c.points) * std::pow(row.candidate.options.width, 3);
        const double seconds = row.candidate.timings.interpolation();
        row.y = seconds / millisecond;
        if (row.refused.empty()) {
          Line& line = lines[{row.variant, row.direction}];
          line.any = row;
          line.entries.push_back(row.x);
          line.seconds.push_back(seconds);
        }
        seen(std::move(row));
      }
    }
  };
  const auto sizesDone = [&](const std::string&, double acceleration) {
    if (acceleration != run.request().accelerations.back()) return;
    for (const auto& [key, line] : lines)
      if (line.entries.size() >= minFitted) fitted(line);
    lines.clear();
  };
  forTunedCases(run, oneCase, sizesDone, Undivided::patterns);
}

std::string panelOf(const StudyRow& row) {
  return row.variant + ", " + row.direction;
}

// A row without the fields that belong to one case alone.
StudyRow fitRow(const Line& line) {
  StudyRow row;
  row.c.pattern = line.any.c.pattern;
  row.variant = line.any.variant;
  row.direction = line.any.direction;
  row.candidate.backend = line.any.candidate.backend;
  return row;
}

}  // namespace

std::vector<std::string> entryMethods() {
  return namesOf(entryList);
}

LinearFit fitLine(const std::vector<double>& x, const std::vector<double>& y) {
  const auto count = double(x.size());
  const double meanX = std::accumulate(x.begin(), x.end(), 0.0) / count,
               meanY = std::accumulate(y.begin(), y.end(), 0.0) / count;
  double xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - meanX) * (x[i] - meanX);
    xy += (x[i] - meanX) * (y[i] - meanY);
    yy += (y[i] - meanY) * (y[i] - meanY);
  }
  LinearFit fit;
  if (!(xx > 0)) return fit;
  fit.slope = xy / xx;
  fit.offset = meanY - fit.slope * meanX;
  fit.rSquared = yy > 0 ? xy * xy / (xx * yy) : 1;
  return fit;
}

void studyEntries(StudyRun& run) {
  const auto seen = [&](StudyRow row) {
    if (row.refused.empty()) {
      row.panel = panelOf(row);
      row.series = row.c.pattern;
    }
    run.add(std::move(row));
  };
  const auto fitted = [&](const Line& line) {
    const LinearFit fit = fitLine(line.entries, line.seconds);
    const auto [least, most] = std::minmax_element(line.entries.begin(), line.entries.end());
    // A fit whose offset is negative begins where it crosses zero.
    const double zero = fit.slope > 0 ? -fit.offset / fit.slope : *least;
    for (const double x : {std::clamp(zero, *least, *most), *most}) {
      StudyRow row = fitRow(line);
      row.panel = panelOf(row);
      row.series = row.c.pattern + ", fit";
      row.x = x;
      row.y = std::max(0.0, (fit.offset + fit.slope * x) / millisecond);
      run.add(std::move(row));
    }
  };
  measure(run, seen, fitted);
}

void studyEntrySlopes(StudyRun& run) {
  const auto& patterns = run.request().patterns;
  run.setCategories(patterns);
  const auto refused = [&](StudyRow row) {
    if (!row.refused.empty()) run.add(std::move(row));
  };
  const auto fitted = [&](const Line& line) {
    const LinearFit fit = fitLine(line.entries, line.seconds);
    for (const bool slope : {true, false}) {
      StudyRow row = fitRow(line);
      row.panel = row.direction + (slope ? ", slope" : ", R²");
      row.series = row.variant;
      row.x = double(std::find(patterns.begin(), patterns.end(), row.c.pattern) - patterns.begin());
      row.y = slope ? fit.slope / slopeUnit : fit.rSquared;
      run.add(std::move(row));
    }
  };
  measure(run, refused, fitted);
}

}  // namespace spokelab
