#include "engine/scan/simulate/echo_train.h"

#include "engine/scan/simulate/fingerprint.h"
#include "engine/scan/simulate/heartbeat.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace spokelab {
namespace {

constexpr double firstT2 = 0.08;
constexpr double furtherT2[] = {0.2, 0.04, 0.5, 0.06, 1.0, 0.12};

Trajectory shotsOf(const Trajectory& train, std::int64_t first, std::int64_t count) {
  const std::int64_t begin = train.shotOffsets[std::size_t(first)],
                     end = train.shotOffsets[std::size_t(first + count)];
  Trajectory part;
  part.dims = train.dims;
  part.shotOffsets.clear();
  for (std::int64_t s = first; s <= first + count; ++s)
    part.shotOffsets.push_back(train.shotOffsets[std::size_t(s)] - begin);
  part.points.assign(train.points.begin() + begin * train.dims, train.points.begin() + end * train.dims);
  part.times.assign(train.times.begin() + begin, train.times.begin() + end);
  return part;
}

}  // namespace

std::vector<double> shapeT2(const Phantom& phantom) {
  std::vector<double> t2;
  std::size_t further = 0;
  for (const PhantomShape& shape : phantom.shapes) {
    const bool own = !t2.empty() && shape.value.real() > 0;
    t2.push_back(own ? furtherT2[further++ % std::size(furtherT2)] : firstT2);
  }
  return t2;
}

Phantom phantomAtEcho(Phantom phantom, double echoSeconds) {
  const std::vector<double> t2 = shapeT2(phantom);
  for (std::size_t s = 0; s < t2.size(); ++s) phantom.shapes[s].value *= std::exp(-echoSeconds / t2[s]);
  return phantom;
}

std::vector<Phantom> phantomSeries(const SimulateOptions& options, const Phantom& phantom) {
  if (options.fingerprint > 0) return phantomAtExcitations(phantom, fingerprintSequence(options.fingerprint));
  std::vector<Phantom> series;
  if (options.decayShapes)
    for (const double time : options.echoTimes) series.push_back(phantomAtEcho(phantom, time));
  if (series.empty()) series.push_back(phantom);
  return series;
}

std::vector<Trajectory> frameTrajectories(const SimulateOptions& options) {
  const Pattern pattern = options.trajectory.pattern;
  Trajectory one = generateTrajectory(options.trajectory);
  std::vector<Trajectory> echoTrajectories;
  const bool golden = pattern == Pattern::goldenRadial2d || pattern == Pattern::goldenRadial3d;
  const auto echoes = std::int64_t(options.fingerprint > 0 ? std::size_t(options.fingerprint)
                                   : options.decayShapes   ? options.echoTimes.size()
                                                           : 0);
  if (echoes == 0 || !golden) {
    echoTrajectories.push_back(std::move(one));
    return echoTrajectories;
  }
  const std::int64_t shots = one.shots();
  TrajectoryOptions longer = options.trajectory;
  longer.shots = int(shots * echoes);
  longer.samplesPerShot = int(one.samples() / shots);
  const Trajectory whole = generateTrajectory(longer);
  for (int f = 0; f < options.frames; ++f)
    for (std::int64_t e = 0; e < echoes; ++e) echoTrajectories.push_back(shotsOf(whole, e * shots, shots));
  return echoTrajectories;
}

Image simulatedTruth(const SimulateOptions& options, const Index3& matrix, int dims, TruthKind kind,
                     const Progress& progress) {
  Phantom phantom = makePhantom(options.phantom, dims);
  if (options.heartShots > 0) phantom = withHeart(std::move(phantom), 0);
  const std::vector<Phantom> series = phantomSeries(options, phantom);
  if (series.size() == 1) return truthImage(phantom, matrix, kind, progress);
  const auto echoes = double(series.size());
  Image all;
  for (const Phantom& object : series) {
    const double done = all.data.empty() ? 0 : double(all.frames);
    Image one = truthImage(object, matrix, kind, progress.part(done / echoes, (done + 1) / echoes));
    if (all.data.empty()) {
      all = std::move(one);
    } else {
      all.data.insert(all.data.end(), one.data.begin(), one.data.end());
      ++all.frames;
    }
  }
  return all;
}

}  // namespace spokelab
