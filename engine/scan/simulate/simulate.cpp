#include "engine/scan/simulate/simulate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/thread_pool.h"
#include "engine/scan/simulate/breathing.h"
#include "engine/scan/simulate/echo_train.h"
#include "engine/scan/simulate/fingerprint.h"
#include "engine/scan/simulate/heartbeat.h"
#include "engine/scan/simulate/kernels/shifted_kspace.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/shot_phases.h"

namespace spokelab {
namespace {

constexpr std::int64_t chunkSamples = 8192;  // a few ms of work between two looks at the stop token

// The coils' exponentials by distinct frequency: one evaluation of the object serves all coils.
struct SharedFrequencies {
  std::vector<Vec3> frequencies;
  // Pairs of frequency and amplitude for each coil.
  std::vector<std::vector<std::pair<std::size_t, cdouble>>> coils;
};

SharedFrequencies shareFrequencies(const std::vector<CoilMap>& coils) {
  SharedFrequencies shared;
  std::map<std::array<std::int64_t, 3>, std::size_t> known;
  constexpr double resolution = 0x1p40;  // equal up to rounding
  for (const CoilMap& coil : coils) {
    auto& terms = shared.coils.emplace_back();
    for (std::size_t i = 0; i < coil.amplitudes.size(); ++i) {
      const Vec3& f = coil.frequencies[i];
      const std::array<std::int64_t, 3> key = {
          std::llround(f[0] * resolution), std::llround(f[1] * resolution), std::llround(f[2] * resolution)};
      const auto [it, isNew] = known.try_emplace(key, shared.frequencies.size());
      if (isNew) shared.frequencies.push_back(f);
      terms.emplace_back(it->second, coil.amplitudes[i]);
    }
  }
  return shared;
}

// The object's k-space at each sample, with the heart's size in the sample's shot.
class BeatingKspace {
 public:
  // heart: [shot], or empty.
  BeatingKspace(const Phantom& object, const std::vector<Vec3>& frequencies, const Trajectory& t,
                const std::vector<double>& heart) {
    if (heart.empty()) sizes_.emplace_back(object, frequencies);
    for (int i = 0; i < heartSizes && !heart.empty(); ++i)
      sizes_.emplace_back(withHeart(object, double(i) / heartSizes), frequencies);
    for (std::size_t s = 0; s < heart.size(); ++s)
      sizeOf_.resize(std::size_t(t.shotOffsets[s + 1]),
                     static_cast<unsigned char>(std::lround(heart[s] * heartSizes) % heartSizes));
  }
  const ShiftedKspace& at(std::int64_t sample) const {
    return sizes_[sizeOf_.empty() ? 0 : sizeOf_[std::size_t(sample)]];
  }

 private:
  std::vector<ShiftedKspace> sizes_;
  std::vector<unsigned char> sizeOf_;  // [sample]
};

// evaluate(j, values): the object's k-space at sample j, shifted by each of the shared frequencies.
template <class Evaluate>
void fillSamples(const Evaluate& evaluate, const SharedFrequencies& shared, const Trajectory& t, double scale,
                 Buffer<cfloat>& out, const Progress& progress) {
  const std::int64_t samples = t.samples();
  // Progress is told between blocks, small enough to move on a machine with many threads.
  constexpr std::int64_t minReports = 24, threadSamples = 256;
  const std::int64_t block =
      std::clamp(samples / minReports, threadSamples * hardwareThreads(), chunkSamples * hardwareThreads());
  for (std::int64_t start = 0; start < samples; start += block) {
    progress.report(double(start) / double(samples), "Simulating samples");
    const std::int64_t count = std::min(block, samples - start);
    parallelFor(count, 0, threadSamples, [&](std::int64_t begin, std::int64_t end) {
      progress.checkpoint();
      std::vector<cdouble> values(shared.frequencies.size());
      for (std::int64_t j = start + begin; j < start + end; ++j) {
        evaluate(j, values.data());
        for (std::size_t c = 0; c < shared.coils.size(); ++c) {
          cdouble sum = 0;
          for (const auto& [f, amplitude] : shared.coils[c]) sum += amplitude * values[f];
          out[c * std::size_t(samples) + std::size_t(j)] = cfloat(scale * sum);
        }
      }
    });
  }
}

double rms(const Buffer<cfloat>& values) {
  double sum = 0;
  for (const cfloat& v : values) sum += double(std::norm(v));
  return values.empty() ? 0 : std::sqrt(sum / double(values.size()));
}

// Adds noise of the given standard deviation per real and imaginary part to values [coil, sample];
// `stream` keeps calls independent. Covariance of coils a and b: sigma^2 correlation^|a - b|.
void addNoise(Buffer<cfloat>& values, const SimulateOptions& o, double sigma, std::uint64_t stream,
              const Progress& progress) {
  const std::uint64_t key = (std::uint64_t(o.seed) << 32) ^ stream;
  const std::int64_t samples = std::int64_t(values.size()) / o.coils;
  const double independentShare = std::sqrt(1 - o.noiseCorrelation * o.noiseCorrelation);
  parallelFor(samples, 0, chunkSamples, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (std::int64_t j = begin; j < end; ++j) {
      cdouble noise = 0;
      for (int c = 0; c < o.coils; ++c) {
        const std::int64_t i = c * samples + j;
        const cdouble fresh = complexNormal(key, std::uint64_t(i));
        noise = c == 0 ? fresh : o.noiseCorrelation * noise + independentShare * fresh;
        values[std::size_t(i)] += cfloat(sigma * noise);
      }
    }
  });
}

// The strength of all excitations of a fingerprint over the first one's, by the first shape.
double seriesScale(const SimulateOptions& o, const Phantom& phantom) {
  if (o.fingerprint == 0) return 1;
  const std::vector<double> signal = fingerprintSignal(fingerprintSequence(o.fingerprint),
                                                       shapeT1(phantom).front(), shapeT2(phantom).front());
  double square = 0;
  for (const double s : signal) square += s * s / double(signal.size());
  return std::sqrt(square) / std::abs(signal.front());
}

Vec3 resolvedFov(const SimulateOptions& o) {
  constexpr double sliceThickness = 5;
  const double depth = resolvedMatrix(o.trajectory)[2] == 1 ? sliceThickness : o.fov[0];
  return {o.fov[0], o.fov[1] == 0 ? o.fov[0] : o.fov[1], o.fov[2] == 0 ? depth : o.fov[2]};
}

void check(const SimulateOptions& o) {
  const char* const problem = "Cannot simulate the scan";
  constexpr int maxCoils = 1024, maxFrames = 65536;  // of ISMRMRD
  if (o.coils < 1 || o.coils > maxCoils)
    throw Error(problem, std::to_string(o.coils) + " coils are not possible", "Use 1 to 1024");
  if (o.frames < 1 || o.frames > maxFrames)
    throw Error(problem, std::to_string(o.frames) + " frames are not possible", "Use 1 to 65536");
  if (!(o.noise >= 0) || !std::isfinite(o.noise))
    throw Error(problem, "the noise is negative or not finite", "Give a noise of 0 or more");
  if (!(o.noiseCorrelation >= 0 && o.noiseCorrelation < 1))
    throw Error(problem, "the correlation of the noise is outside of 0 to 1",
                "Give a value from 0 to below 1");
  if (std::size_t(o.frames) * std::max<std::size_t>(1, o.echoTimes.size()) > maxFrames)
    throw Error(problem, "there are more than 65536 frames with their echoes",
                "Use fewer frames or echo times");
  for (const double t : o.echoTimes)
    if (!(t >= 0) || !std::isfinite(t))
      throw Error(problem, "an echo time is negative or not finite", "Give echo times of 0 ms or more");
  if (o.fingerprint > 0 && (o.frames > 1 || !o.echoTimes.empty()))
    throw Error(problem, "the frames of a fingerprint are its excitations",
                "Leave out frames and echo-times, or the fingerprint");
  if (!(o.shotPhase >= 0) || !std::isfinite(o.shotPhase))
    throw Error(problem, "the phase of shots must not be negative", "Give the largest phase in rad");
  if (!(o.breathingMm >= 0) || !std::isfinite(o.breathingMm) || o.breathShots < 2)
    throw Error(problem, "a breath moves by less than 0 mm or takes less than 2 shots",
                "Give 0 mm or more, and 2 shots or more");
  if (o.breathingMm > 0 && o.offResonance.acts())
    throw Error(problem, "the field map would have to breathe with the phantom",
                "Leave out the field and the decay, or breathing");
  if (o.heartShots < 0 || o.heartShots == 1)
    throw Error(problem, "a heartbeat takes at least 2 shots", "Give 0 for no heart, or 2 and more");
  if (o.heartShots > 0 && (o.offResonance.acts() || o.decayShapes || o.fingerprint > 0))
    throw Error(problem, "a beating heart cannot have a field, a decay or fingerprints",
                "Leave those out, or heart-shots");
  for (double f : resolvedFov(o))
    if (!(f > 0) || !std::isfinite(f))
      throw Error(problem, "the field of view must be positive", "Give it in mm, for example 220x220x220");
}

// The field that acts, as files hold it: a reconstruction finds it there.
NamedArray fieldArray(const OffResonance& field, const Index3& matrix) {
  Image image = fieldImage(field, matrix);
  return {"FieldMap", {matrix[2], matrix[1], matrix[0]}, std::move(image.data), false};
}

// The coils' sensitivities as files hold them: an estimate would not know the shots' phases.
NamedArray coilArray(const std::vector<CoilMap>& coils, const Index3& matrix) {
  NamedArray maps{"SENSEMap", {std::int64_t(coils.size()), matrix[2], matrix[1], matrix[0]}, {}, true};
  const auto at = [&](std::size_t d, std::int64_t n) {
    return double(n - matrix[d] / 2) / double(matrix[d]);
  };
  for (const CoilMap& coil : coils)
    for (std::int64_t z = 0; z < matrix[2]; ++z)
      for (std::int64_t y = 0; y < matrix[1]; ++y)
        for (std::int64_t x = 0; x < matrix[0]; ++x) {
          cdouble value = 0;
          for (std::size_t i = 0; i < coil.amplitudes.size(); ++i) {
            const Vec3& f = coil.frequencies[i];
            value +=
                coil.amplitudes[i] *
                std::polar(1.0, 2 * std::numbers::pi * (f[0] * at(0, x) + f[1] * at(1, y) + f[2] * at(2, z)));
          }
          maps.values.push_back(cfloat(value));
        }
  return maps;
}

}  // namespace

std::shared_ptr<const Scan> simulate(const SimulateOptions& o, const Progress& progress) {
  check(o);
  progress.report(0, "Generating the trajectory");
  auto scan = std::make_shared<Scan>();
  scan->trajectories = frameTrajectories(o);
  const Trajectory& t = scan->trajectories.front();
  std::vector<double> echoTimes = o.echoTimes.empty() ? std::vector<double>{0} : o.echoTimes;
  if (o.fingerprint > 0) echoTimes.assign(std::size_t(o.fingerprint), 0.0);
  const std::size_t echoes = echoTimes.size();
  const double values = double(o.frames) * double(echoes) * o.coils * double(t.samples());
  const double cleanValues = double(o.coils) * double(t.samples());  // without noise, for all frames
  requireMemory((values + cleanValues) * sizeof(cfloat), "Cannot simulate the scan", "the scan",
                "Use fewer coils or frames, a smaller matrix or more acceleration");

  const Index3 matrix = resolvedMatrix(o.trajectory);
  scan->name = "simulated " + patternName(o.trajectory.pattern);
  scan->geometry.matrix = matrix;
  scan->geometry.fov = resolvedFov(o);
  scan->coils = o.coils;
  scan->frames = o.frames * int(echoes);
  if (!o.echoTimes.empty()) {
    std::vector<FrameAxis> axes;
    if (o.frames > 1) axes.push_back({FrameMeaning::time, o.frames, {}});
    axes.push_back({FrameMeaning::echo, int(echoes), o.echoTimes});
    scan->frameAxes = FrameAxes::grid(std::move(axes));
  }

  if (o.fingerprint > 0) {
    FrameAxis axis{FrameMeaning::time, o.fingerprint, {}};
    for (int n = 0; n < o.fingerprint; ++n)
      axis.values.push_back(n * fingerprintSequence(o.fingerprint).repetition);
    scan->frameAxes = FrameAxes::grid({std::move(axis)});
  }

  const SharedFrequencies shared = shareFrequencies(modelCoils(t.dims, o.coils));
  const Phantom phantom = makePhantom(o.phantom, t.dims);
  const std::vector<Phantom> series = phantomSeries(o, phantom);
  const double scale = double(product(matrix));
  const std::vector<ShotPhase> phases = randomShotPhases(t.shots(), t.dims, o.shotPhase, o.seed);
  std::optional<OffResonantSums> moving;
  if (o.offResonance.shape != FieldShape::none && o.offResonance.peakHz != 0)
    scan->arrays.push_back(fieldArray(o.offResonance, matrix));
  if (!phases.empty()) {
    scan->arrays.push_back(phaseMaps(phases, matrix));
    scan->arrays.push_back(coilArray(modelCoils(t.dims, o.coils), matrix));
  }
  constexpr double sumsShare = 0.8;
  double sigma = 0;
  scan->samples.resize(std::size_t(scan->frames));
  for (std::size_t e = 0; e < echoes; ++e) {
    const Progress part = progress.part(double(e) / double(echoes), double(e + 1) / double(echoes)),
                   sums = part.part(0, sumsShare);
    const Trajectory& own = scan->trajectory(int(e));
    const std::vector<double> points = movedPoints(own, phases);
    const std::vector<double> shifts = breathingShifts(o, own.shots(), scan->geometry.fov[1]);
    std::vector<double> shiftOf;  // [sample]
    for (std::size_t s = 0; s < shifts.size(); ++s)
      shiftOf.resize(std::size_t(own.shotOffsets[s + 1]), shifts[s]);
    const Phantom& object = series[std::min(e, series.size() - 1)];
    const BeatingKspace still(object, shared.frequencies, own, heartPhases(o, own.shots()));
    if (o.offResonance.acts() && (e == 0 || series.size() > 1))
      moving.emplace(object, matrix, o.offResonance, shared.frequencies);
    Buffer<cfloat> clean(std::size_t(o.coils) * std::size_t(own.samples()));
    fillSamples(
        [&](std::int64_t j, cdouble* out) {
          const double* k = points.data() + j * own.dims;
          if (moving)
            moving->evaluate(k, echoTimes[e] + own.times[std::size_t(j)], out, sums);
          else
            still.at(j).evaluate(k, out);
          if (!shiftOf.empty()) moveAlongY(k[1], shiftOf[std::size_t(j)], shared.frequencies, out);
        },
        shared, own, scale, clean, sums);
    turnShots(own, phases, clean);
    if (e == 0) sigma = o.noise * rms(clean) * seriesScale(o, phantom);
    for (int f = 0; f < o.frames; ++f) {
      part.report(sumsShare + (1 - sumsShare) * f / o.frames, "Adding noise");
      const std::size_t frame = std::size_t(f) * echoes + e;
      scan->samples[frame] = f + 1 < o.frames ? clean : std::move(clean);
      if (sigma > 0) addNoise(scan->samples[frame], o, sigma, std::uint64_t(frame) + 1, part);
    }
  }
  if (sigma > 0) {
    // A readout without signal, as scanners add one; long enough to tell the coils' covariance.
    constexpr std::size_t minNoiseSamples = 256, noiseSamplesPerCoil = 32;
    const std::size_t noiseSamples = std::max(minNoiseSamples, noiseSamplesPerCoil * std::size_t(o.coils));
    scan->noise.assign(noiseSamples * std::size_t(o.coils), cfloat(0));
    addNoise(scan->noise, o, sigma, 0, progress);
  }
  recordMotion(o, *scan);
  validate(*scan);
  return scan;
}

}  // namespace spokelab
