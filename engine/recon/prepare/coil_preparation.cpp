#include "engine/recon/prepare/coil_preparation.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/recon/job/job_account.h"
#include "engine/recon/prepare/sample_scale.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/scan/look/raw_summary.h"

namespace spokelab {
namespace {

constexpr std::int64_t mixedPerTask = 4096;
constexpr std::int64_t minNoisePerCoilUnasked =
    16;                                      // noise samples for each coil: whiten without being told to
constexpr std::int64_t minNoisePerCoil = 2;  // below, the covariance means nothing
// Share of a coil's noise power that no other coil explains: below it float samples hold rounding.
constexpr double minOwnNoise = 1e-9;

bool whitens(const Scan& scan, const ReconOptions& options) {
  const std::int64_t samples = std::int64_t(scan.noise.size()) / scan.coils;
  switch (options.prewhitening) {
    case Prewhitening::off:
      return false;
    case Prewhitening::on:
      if (samples < minNoisePerCoil * scan.coils)
        throw Error("Cannot whiten the noise",
                    samples == 0 ? "the scan has no noise lines"
                                 : "its noise lines hold " + std::to_string(samples) + " samples for " +
                                       std::to_string(scan.coils) + " coils",
                    "Use prewhiten = off");
      return true;
    case Prewhitening::automatic:
      break;
  }
  return scan.coils > 1 && samples >= minNoisePerCoilUnasked * scan.coils;
}

// rows x columns of M times [column, sample] values.
template <class Complex, class At>
void mix(const std::vector<cdouble>& matrix, int rows, int columns, std::int64_t samples, int threads,
         const Progress& progress, const At& at, Complex* out) {
  using Real = typename Complex::value_type;
  std::vector<Complex> m(matrix.begin(), matrix.end());
  parallelFor(samples, threads, mixedPerTask, [&](std::int64_t begin, std::int64_t end) {
    progress.checkpoint();
    for (int r = 0; r < rows; ++r) {
      Complex* target = out + r * samples;
      std::fill(target + begin, target + end, Complex(0));
      for (int c = 0; c < columns; ++c) {
        const Complex factor = m[std::size_t(r * columns + c)];
        if (factor == Real(0)) continue;
        const Real re = factor.real(), im = factor.imag();
        const auto add = [&](const auto* source) {
          for (std::int64_t j = begin; j < end; ++j) {
            const Real a = Real(source[j].real()), b = Real(source[j].imag());
            target[j] += Complex(re * a - im * b, re * b + im * a);
          }
        };
        std::visit(add, ComplexPointer(at(c)));
      }
    }
  });
}

// Sum of y y^H over all samples of a frame, all slices.
template <class Complex>
std::vector<cdouble> sampleCovariance(const Scan& scan, int frame, int threads, const Progress& progress) {
  const auto n = std::size_t(scan.coils);
  const std::int64_t samples = scan.trajectory(frame).samples();
  std::vector<cdouble> total(n * n, 0.0);
  std::vector<std::vector<cdouble>> parts(std::size_t((samples + mixedPerTask - 1) / mixedPerTask));
  for (int slice = 0; slice < scan.slices; ++slice) {
    parallelFor(samples, threads, mixedPerTask, [&](std::int64_t begin, std::int64_t end) {
      progress.checkpoint();
      std::vector<cdouble> sum(n * n, 0.0);
      for (std::size_t a = 0; a < n; ++a)
        for (std::size_t b = 0; b <= a; ++b) {
          const Complex *ya = scan.data<Complex>(frame, slice, int(a)),
                        *yb = scan.data<Complex>(frame, slice, int(b));
          double re = 0, im = 0;
          for (std::int64_t j = begin; j < end; ++j) {
            re += double(ya[j].real()) * yb[j].real() + double(ya[j].imag()) * yb[j].imag();
            im += double(ya[j].imag()) * yb[j].real() - double(ya[j].real()) * yb[j].imag();
          }
          sum[a * n + b] = {re, im};
        }
      parts[std::size_t(begin / mixedPerTask)] = std::move(sum);
    });
    for (const std::vector<cdouble>& part : parts)  // in one order, whatever the threads did
      for (std::size_t i = 0; i < n * n; ++i) total[i] += part[i];
  }
  for (std::size_t a = 0; a < n; ++a)
    for (std::size_t b = a + 1; b < n; ++b) total[a * n + b] = std::conj(total[b * n + a]);
  return total;
}

std::vector<const cfloat*> coilsOf(const Scan& scan, int frame, int slice) {
  std::vector<const cfloat*> coils;
  for (int c = 0; c < scan.coils; ++c) coils.push_back(scan.data(frame, slice, c));
  return coils;
}

std::vector<cdouble> sampleCovariance(const Scan& scan, int frame, CoilMixer& mixer,
                                      const Progress& progress) {
  std::vector<cdouble> total(std::size_t(scan.coils) * std::size_t(scan.coils), 0.0);
  for (int slice = 0; slice < scan.slices; ++slice) {
    const std::vector<cdouble> part =
        mixer.covariance(coilsOf(scan, frame, slice), scan.trajectory(frame).samples(), progress);
    for (std::size_t i = 0; i < total.size(); ++i) total[i] += part[i];
  }
  return total;
}

// M S M^H
std::vector<cdouble> congruent(const std::vector<cdouble>& m, const std::vector<cdouble>& s, int rows,
                               int columns) {
  std::vector<cdouble> adjoint(m.size());
  for (std::size_t r = 0; r < std::size_t(rows); ++r)
    for (std::size_t c = 0; c < std::size_t(columns); ++c)
      adjoint[c * std::size_t(rows) + r] = std::conj(m[r * std::size_t(columns) + c]);
  return multiply(multiply(m, s, rows, columns, columns), adjoint, rows, columns, rows);
}

}  // namespace

std::optional<std::vector<cdouble>> whiteningMatrix(const std::vector<cdouble>& covariance, int coils) {
  std::vector<cdouble> lower;
  if (!cholesky(covariance, coils, lower)) return std::nullopt;
  for (std::size_t i = 0; i < std::size_t(coils); ++i) {
    const std::size_t diagonal = i * std::size_t(coils) + i;
    if (std::norm(lower[diagonal]) < minOwnNoise * covariance[diagonal].real()) return std::nullopt;
  }
  return invertLower(lower, coils);
}

std::vector<cdouble> compressionMatrix(const std::vector<cdouble>& covariance, int coils, int keep,
                                       double& energy) {
  const HermitianEigen eigen = hermitianEigen(covariance, coils);
  double keptEnergy = 0, total = 0;
  for (int i = 0; i < coils; ++i) {
    const double value = std::max(0.0, eigen.values[std::size_t(i)]);
    total += value;
    if (i < keep) keptEnergy += value;
  }
  energy = total > 0 ? keptEnergy / total : 1;
  std::vector<cdouble> matrix(eigen.vectors.begin(), eigen.vectors.begin() + std::ptrdiff_t(keep) * coils);
  for (cdouble& v : matrix) v = std::conj(v);
  return matrix;
}

ReconOptions withoutPreparation(ReconOptions asked) {
  ReconOptions options = withoutSampleSelection(std::move(asked));
  options.prewhitening = Prewhitening::off;
  options.virtualCoils = 0;
  options.coils.clear();
  options.leaveOutCoils.clear();
  return options;
}

JobPlan afterPreparation(JobPlan job) {
  job.options = withoutPreparation(std::move(job.options));
  job.coilsKept.resize(std::size_t(job.coils));
  std::iota(job.coilsKept.begin(), job.coilsKept.end(), 0);
  job.coilsMeasured = job.coils;
  return job;
}

namespace {

// The coils of a scan whose samples are those to be used.
ScanPreparation prepareCoils(const Scan& scan, const JobPlan& job, const Progress& progress,
                             const std::shared_ptr<CoilMixer>& mixer) {
  ScanPreparation result;
  const ReconOptions& options = job.options;
  const std::vector<int>& keptCoils = job.coilsKept;
  const bool white = whitens(scan, options);
  int rows = int(keptCoils.size());
  const bool compress = job.coils < rows;
  if (rows == scan.coils && !white && !compress) return result;

  progress.report(0, "Preparing the coils");
  const int coils = scan.coils, threads = options.nufft.threads;
  std::vector<cdouble> m(std::size_t(rows) * std::size_t(coils), 0.0);
  for (int r = 0; r < rows; ++r) m[std::size_t(r * coils + keptCoils[std::size_t(r)])] = 1;
  if (rows < coils)
    result.notes.push_back(std::to_string(coils - rows) + " of " + std::to_string(coils) + " coils left out");
  if (white) {
    const auto covariance = congruent(m, noiseCovariance(scan.noise, coils), rows, coils);
    double power = 0;
    for (int r = 0; r < rows; ++r) power += covariance[std::size_t(r * rows + r)].real() / rows;
    const bool finite = allFinite(scan.noise.data(), std::int64_t(scan.noise.size()));
    const std::string singular =
        !finite ? "some of its samples are not finite"
                : "its covariance is singular: a coil is dead, or two coils hear the same noise";
    if (auto whitening = finite ? whiteningMatrix(covariance, rows) : std::nullopt) {
      for (cdouble& v : *whitening) v *= std::sqrt(power);
      m = multiply(*whitening, m, rows, rows, coils);
      result.notes.push_back("noise whitened by " + std::to_string(scan.noise.size() / std::size_t(coils)) +
                             " noise samples a coil");
    } else if (options.prewhitening == Prewhitening::on) {
      throw Error("Cannot whiten the noise", singular, "Leave such coils out, or use prewhiten = off");
    } else {
      result.notes.push_back("noise not whitened: " + singular);
      if (rows == coils && !compress) return result;
    }
  }
  const std::vector<int>& frames = job.frames;
  const auto takes = [&](int frame) {
    return mixer && !options.inDouble() && !scan.isDouble() &&
           mixer->takes(coils, scan.trajectory(frame).samples());
  };
  std::optional<JobTimer> compressing;
  if (compress) {
    compressing.emplace(JobStage::compress);
    const int frame = frames.front();
    const auto covariance = takes(frame) ? sampleCovariance(scan, frame, *mixer, progress)
                            : scan.isDouble()
                                ? sampleCovariance<cdouble>(scan, frames.front(), threads, progress)
                                : sampleCovariance<cfloat>(scan, frames.front(), threads, progress);
    double energy = 0;
    const auto virtualCoils =
        compressionMatrix(congruent(m, covariance, rows, coils), rows, job.coils, energy);
    m = multiply(virtualCoils, m, job.coils, rows, coils);
    result.notes.push_back(std::to_string(rows) + " coils compressed to " + std::to_string(job.coils) +
                           ", which keep " + percentText(energy, 2) + " of the energy");
    rows = job.coils;
  }

  double values = 0;
  for (int f : frames) values += double(scan.slices) * rows * double(scan.trajectory(f).samples());
  requireMemory(values * Scan::bytesPerSample(options.inDouble()), "Cannot prepare the coils",
                "a copy of the samples", "Choose fewer frames or coils, or use prewhiten = off");
  auto scanned = describedAs(scan);
  scanned->coils = rows;
  scanned->trajectories = scan.trajectories;
  scanned->samples.resize(scan.samples.size());
  for (std::size_t i = 0; i < frames.size(); ++i) {
    progress.report(double(i) / double(frames.size()), "Preparing the coils");
    const int f = frames[i];
    const std::int64_t samples = scan.trajectory(f).samples();
    scanned->makeRoom(f, scan.slices * rows * samples, options.inDouble());
    for (int slice = 0; slice < scan.slices; ++slice) {
      if (takes(f)) {
        mixer->mix(m, rows, coilsOf(scan, f, slice), samples, scanned->data(f, slice, 0), progress);
        result.mixer = mixer;
        continue;
      }
      scanned->change(f, slice, 0, [&]<class Real>(std::complex<Real>* out) {
        mix(
            m, rows, coils, samples, threads, progress, [&](int c) { return scan.values<Real>(f, slice, c); },
            out);
      });
    }
  }
  const std::int64_t noise = std::int64_t(scan.noise.size()) / coils;
  scanned->noise.resize(std::size_t(noise * rows));
  mix(
      m, rows, coils, noise, threads, progress, [&](int c) { return scan.noise.data() + c * noise; },
      scanned->noise.data());
  result.scan = std::move(scanned);
  result.mixing = std::move(m);
  return result;
}

}  // namespace

ScanPreparation prepareScan(const Scan& scan, const JobPlan& job, const Progress& progress,
                            const std::shared_ptr<CoilMixer>& mixer, Ranks* ranks) {
  constexpr double selectionShare = 0.3;
  const std::shared_ptr<const Scan> selected = selectSamples(scan, job, progress.part(0, selectionShare));
  const Scan& asMeasured = selected ? *selected : scan;
  const std::vector<int>& frames = job.frames;
  const int exponent = sampleExponent(asMeasured, frames, progress, ranks);
  std::shared_ptr<const Scan> scaled = selected;
  if (exponent != 0) scaled = scaledScan(asMeasured, frames, exponent, progress);
  ScanPreparation result =
      prepareCoils(scaled ? *scaled : scan, job, progress.part(selectionShare, 1), mixer);
  if (!result.scan) result.scan = scaled;
  result.exponent = exponent;
  if (!selected) return result;
  result.notes.insert(result.notes.begin(), "selected: " + selected->decisions.back().evidence);
  const bool weighted = !scan.trajectories.front().weights.empty();
  if (weighted && job.options.density == DensityMethod::automatic)
    result.notes.emplace_back("the file's density weights belong to the whole scan, so they were made anew");
  return result;
}

}  // namespace spokelab
