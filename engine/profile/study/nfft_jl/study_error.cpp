#include "engine/profile/study/nfft_jl/study_error.h"

#include "engine/core/error.h"
#include "engine/nufft/kernel/kernel.h"
#include "engine/profile/study/nfft_jl/band_limited.h"
#include "engine/profile/study/nfft_jl/peers.h"
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

const char* const windowNames[] = {"kernel of 2m cells", "window of 2m points", "window of 2m + 2 points"};

void addError(StudyRun& run, StudyRow row, int halfWidth, const std::function<double()>& error) {
  row.panel = row.direction;
  row.series = row.variant;
  row.x = halfWidth;
  try {
    row.y = error();
  } catch (const Error& e) {
    refuse(row, e);
  }
  run.add(std::move(row));
}

double errorOfWindow(const ResamplingCase& c, double alpha, int halfWidth, int cells, bool adjoint,
                     const Progress& progress) {
  BandLimitedNufft nufft(c.problem, alpha, halfWidth, cells);
  nufft.setPoints(c.points);
  const auto transform = [&](const cdouble* in, cdouble* out) {
    adjoint ? nufft.adjoint(in, out, progress) : nufft.forward(in, out, progress);
  };
  return largestRelativeError(c.problem, transform, c.points, adjoint, errorOutputs, progress);
}

// Windows and libraries at one half width.
void librariesAt(StudyRun& run, const ResamplingCase& c, const std::vector<Peer>& peers, int halfWidth,
                 const Progress& progress) {
  const double alpha = run.request().alphas.front();
  for (const bool adjoint : {false, true}) {
    for (std::size_t i = 0; i < std::size(windowNames); ++i) {
      progress.checkpoint();
      StudyRow row = rowFor(c, windowNames[i], adjoint);
      const int cells = 2 * halfWidth + (i == 2 ? 2 : 0);
      const NufftOptions ours = optionsWith(c.problem, alpha, cells);
      row.candidate.options.alpha = alpha;
      row.candidate.options.width = cells;
      addError(run, std::move(row), halfWidth, [&] {
        return i == 0 ? errorOf(c, ours, adjoint, progress)
                      : errorOfWindow(c, alpha, halfWidth, cells, adjoint, progress);
      });
    }
    for (const Peer& peer : peers) {
      progress.checkpoint();
      StudyRow row = peerRow(c, peer, halfWidth, adjoint);
      addError(run, std::move(row), halfWidth, [&] {
        double width = 0;
        const double error =
            peerError(c, peer, peerOptions(peer, halfWidth, 0), adjoint, errorOutputs, width, progress);
        if (halfWidth > maxHalfWidth && width < 2 * halfWidth)
          throw Error("Cannot compare the plug-in " + peer.backend->name(),
                      width > 0 ? "its kernels are not that wide" : "it does not tell its kernel's width",
                      "Compare narrower kernels");
        return error;
      });
    }
  }
}

}  // namespace

std::vector<std::string> libraryWindows() {
  return {std::begin(windowNames), std::end(windowNames)};
}

void studyLibraryErrors(StudyRun& run) {
  const auto& sizes = run.request().sizes;
  const std::size_t widths = maxPlainHalfWidth - minHalfWidth + 1;
  run.cpu();
  run.steps(sizes.size() * widths, [&](std::size_t i, const Progress& progress) {
    const ResamplingCase c = resamplingCase(2, sizes[i / widths]);
    librariesAt(run, c, peersOf(run, c, progress), minHalfWidth + int(i % widths), progress);
  });
}

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
