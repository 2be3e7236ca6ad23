#include "engine/profile/study/nfft_jl/peers.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/nufft/tune/plugins/tried_plugin.h"

namespace spokelab {
namespace {

constexpr std::int64_t trialSide = 16;
constexpr std::size_t trialPoints = 128;
// Of the trial: the errors of the figures are measured by themselves, whatever they are.
constexpr double looseAccuracy = 1e-3;

void tryLoosely(const Peer& peer, const ResamplingCase& c, const Progress& progress) {
  TuneRequest request;
  request.problem = c.problem;
  for (std::int64_t& n : request.problem.size) n = std::min(n, trialSide);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> place(-0.5, 0.5);
  std::vector<double> points(trialPoints * std::size_t(c.problem.dims));
  for (double& k : points) k = place(random);
  request.points = points;
  request.options.accuracy = looseAccuracy;
  peer.backend->plugin()->tryOut(request, peer.alpha, progress);
}

void rename(StudyRow& row, const Peer& peer, int halfWidth) {
  row.candidate.backend = row.variant = peer.backend->name();
  row.candidate.options.alpha = peer.alpha;
  row.candidate.options.width = 2.0 * halfWidth;
  row.candidate.options.accuracy = row.c.accuracy = toleranceOf(halfWidth);
}

}  // namespace

std::vector<Peer> peersOf(StudyRun& run, const ResamplingCase& c, const Progress& progress) {
  std::vector<Peer> peers;
  for (NufftBackend* backend : run.backends()) {
    if (!backend->plugin()) continue;
    const double ratio = run.request().alphas.front();
    const Peer peer{backend, backend->plugin()->info().offers(ratio) ? ratio : 0};
    try {
      tryLoosely(peer, c, progress);
      peers.push_back(peer);
    } catch (const Error& e) {
      StudyRow row = peerRow(c, peer, minHalfWidth, false);
      refuse(row, e);
      run.add(std::move(row));
    }
  }
  return peers;
}

// w = ceil(1 + log(c / ε) / (π √(1 − 1/α))), c = 0.18, 0.252 and 0.353 in one to three
// dimensions (2.5), and w = ceil(1 − log10 ε) (2.1). Half a cell less than 2m in two dimensions
// serves all.
double toleranceOf(int halfWidth) {
  constexpr double factor = 0.252, spare = 1.5;
  return factor * std::exp(-std::numbers::pi * std::numbers::sqrt2 / 2 * (2.0 * halfWidth - spare));
}

NufftOptions peerOptions(const Peer& peer, int halfWidth, int threads) {
  NufftOptions options;
  options.alpha = peer.alpha;
  options.accuracy = toleranceOf(halfWidth);
  options.threads = threads;
  return options;
}

StudyRow peerRow(const ResamplingCase& c, const Peer& peer, int halfWidth, bool adjoint) {
  StudyRow row = rowFor(c, {}, adjoint);
  rename(row, peer, halfWidth);
  return row;
}

StudyRow peerRow(const ResamplingCase& c, const Peer& peer, int halfWidth, bool adjoint, const RaceRun& run) {
  StudyRow row = rowFor(c, {}, adjoint, run);
  rename(row, peer, halfWidth);
  return row;
}

double peerError(const ResamplingCase& c, const Peer& peer, const NufftOptions& options, bool adjoint,
                 int outputs, double& width, const Progress& progress) {
  const auto plan = peer.backend->plan<double>(c.problem, options);
  plan->setPoints(c.points);
  width = plan->info().options.width;
  const auto transform = [&](const cdouble* in, cdouble* out) {
    adjoint ? plan->adjoint(in, out) : plan->forward(in, out);
  };
  return largestRelativeError(c.problem, transform, c.points, adjoint, outputs, progress);
}

}  // namespace spokelab
