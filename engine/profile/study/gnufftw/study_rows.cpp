#include "engine/profile/study/gnufftw/study_rows.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/text.h"
#include "engine/nufft/kernel/error_model.h"
#include "engine/nufft/kernel/grid_size.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

struct Rows {
  NufftOptions options;
  std::map<std::int64_t, std::int64_t> points, cells;  // rows by their entries
};

// The first cell that a kernel of this width touches around k, and how many: |cell - k G| < W / 2.
struct Reach {
  std::int64_t first, count;
};
Reach reachOf(double k, std::int64_t grid, double width) {
  const double x = (k - std::floor(k)) * double(grid);
  const auto first = std::int64_t(std::ceil(x - width / 2));
  return {first, std::int64_t(std::ceil(x + width / 2)) - first};
}

// The width at which equation 8 gives the accuracy: the maximum aliasing amplitude alone.
double widthOf(const NufftProblem& problem, double alpha, double accuracy) {
  double narrow = 1, wide = maxKernelWidth;
  constexpr int halvings = 40;
  for (int i = 0; i < halvings; ++i) {
    const double width = (narrow + wide) / 2;
    const bool meets = Kernel::defined(KernelType::kaiserBessel, width, alpha) &&
                       predictError(problem, Kernel(KernelType::kaiserBessel, width, alpha),
                                    gridSize(problem, alpha, width), 0)
                               .worstPixel <= accuracy;
    (meets ? wide : narrow) = width;
  }
  return wide;
}

Rows countRows(const ResamplingCase& c, double alpha, double accuracy, const Progress& progress) {
  Rows rows;
  rows.options.alpha = alpha;
  rows.options.accuracy = accuracy;
  rows.options.kernel = KernelType::kaiserBessel;
  rows.options.width = widthOf(c.problem, alpha, accuracy);
  const double width = rows.options.width;
  const Index3 grid = gridSize(c.problem, rows.options.alpha, width);
  std::vector<std::int32_t> touched(static_cast<std::size_t>(product(grid)));
  constexpr std::size_t between = 1 << 16;  // points, from one look at the user to the next
  for (std::size_t j = 0; j + 2 < c.points.size(); j += 3) {
    if (j / 3 % between == 0) progress.report(double(j) / double(c.points.size()), "counting entries");
    Reach r[3] = {};
    for (std::size_t d = 0; d < 3; ++d) r[d] = reachOf(c.points[j + d], grid[d], width);
    ++rows.points[r[0].count * r[1].count * r[2].count];
    const auto at = [&](std::size_t d, std::int64_t i) { return (r[d].first + i + grid[d]) % grid[d]; };
    for (std::int64_t z = 0; z < r[2].count; ++z)
      for (std::int64_t y = 0; y < r[1].count; ++y)
        for (std::int64_t x = 0; x < r[0].count; ++x)
          ++touched[std::size_t((at(2, z) * grid[1] + at(1, y)) * grid[0] + at(0, x))];
  }
  for (const std::int32_t entries : touched) ++rows.cells[entries];
  return rows;
}

double deviation(const std::map<std::int64_t, std::int64_t>& rows) {
  double count = 0, sum = 0, squares = 0;
  for (const auto& [entries, many] : rows) {
    count += double(many);
    sum += double(entries) * double(many);
    squares += double(entries) * double(entries) * double(many);
  }
  return std::sqrt(std::max(0.0, squares / count - sum * sum / (count * count)));
}

void forRows(StudyRun& run, const std::function<void(const ResamplingCase&, const Rows&)>& each) {
  const StudyRequest& q = run.request();
  const std::size_t rs = q.accelerations.size(), accuracies = q.accuracies.size(),
                    cases = q.sizes.size() * rs * accuracies;
  run.steps(cases * q.patterns.size(), [&](std::size_t i, const Progress& progress) {
    const std::size_t rest = i % cases;
    ResamplingCase c = patternCase(q.patterns[i / cases], q.sizes[rest / (rs * accuracies)],
                                   q.accelerations[rest / accuracies % rs]);
    c.c.accuracy = q.accuracies[rest % accuracies];
    each(c, countRows(c, q.alphas.front(), c.c.accuracy, progress));
  });
}

StudyRow rowOf(const ResamplingCase& c, const Rows& rows, bool adjoint) {
  StudyRow row = rowFor(c, adjoint ? "adjoint" : "forward", adjoint);
  row.candidate.options = rows.options;
  row.candidate.grid = gridSize(c.problem, rows.options.alpha, rows.options.width);
  return row;
}

std::string caseText(const StudyCase& c) {
  return "N " + std::to_string(c.size) + ", R " + numberText(c.acceleration) + ", accuracy " +
         numberText(c.accuracy);
}

}  // namespace

void studyRowLengths(StudyRun& run) {
  forRows(run, [&](const ResamplingCase& c, const Rows& rows) {
    for (const bool adjoint : {true, false})
      for (const auto& [entries, many] : adjoint ? rows.cells : rows.points) {
        StudyRow row = rowOf(c, rows, adjoint);
        row.panel = row.direction + ", " + caseText(c.c);
        row.series = c.c.pattern;
        row.x = double(entries);
        row.y = double(many);
        run.add(std::move(row));
      }
  });
}

void studyRowDeviations(StudyRun& run) {
  run.setCategories(run.request().patterns);
  forRows(run, [&](const ResamplingCase& c, const Rows& rows) {
    const auto& patterns = run.request().patterns;
    for (const bool adjoint : {true, false}) {
      StudyRow row = rowOf(c, rows, adjoint);
      row.panel = caseText(c.c);
      row.series = row.direction;
      row.x = double(std::find(patterns.begin(), patterns.end(), c.c.pattern) - patterns.begin());
      row.y = deviation(adjoint ? rows.cells : rows.points);
      run.add(std::move(row));
    }
  });
}

}  // namespace spokelab
