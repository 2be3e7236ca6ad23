#include "engine/profile/study/nfft_jl/study_error.h"

#include "engine/core/error.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/profile/study/plain_nufft.h"
#include "engine/profile/study/plan_race.h"
#include "engine/profile/study/study_problem.h"

namespace spokelab {
namespace {

constexpr int errorOutputs = 256;  // at which the largest error is looked for

double errorOf(const ResamplingCase& c, const NufftOptions& options, bool adjoint, const Progress& progress) {
  if (options.width <= maxKernelWidth)
    return largestRelativeError(c.problem, options, c.points, adjoint, errorOutputs, progress);
  PlainNufft<double> plain(c.problem, options);
  plain.setPoints(c.points);
  const auto transform = [&](const cdouble* in, cdouble* out) {
    if (adjoint)
      plain.adjoint(in, out, progress);
    else
      plain.forward(in, out, progress);
  };
  return largestRelativeError(c.problem, transform, c.points, adjoint, errorOutputs, progress);
}

void errorsAt(StudyRun& run, const ResamplingCase& c, int halfWidth, const Progress& progress) {
  for (const Precomputed& p : precomputed())
    for (const bool adjoint : {false, true}) {
      progress.checkpoint();
      StudyRow row = rowFor(c, p.name, adjoint);
      row.panel = row.direction;
      row.series = p.name;
      row.x = halfWidth;
      row.candidate.options = optionsWith(c.problem, run.request().alphas.front(), 2.0 * halfWidth);
      p.choose(row.candidate.options);
      try {
        row.y = errorOf(c, row.candidate.options, adjoint, progress);
      } catch (const Error& e) {
        refuse(row, e);
      }
      run.add(std::move(row));
    }
}

}  // namespace

void studyWindowError(StudyRun& run) {
  const auto& sizes = run.request().sizes;
  const std::size_t widths = maxPlainHalfWidth - minHalfWidth + 1;
  run.cpu();
  run.steps(sizes.size() * widths, [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = resamplingCase(2, sizes[i / widths]);
    errorsAt(run, c, minHalfWidth + int(i % widths), progress);
  });
}

}  // namespace spokelab
