// Coils prepared and combined: whitened noise has the identity as its covariance, compression keeps
// the energy it can, the adaptive combination is the matched filter.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/core/hermitian.h"
#include "engine/recon/coils/adaptive_combination.h"
#include "engine/recon/job/job_plan.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/look/raw_summary.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_coils {

using namespace spokelab;

namespace {

using Matrix = std::vector<cdouble>;

Matrix adjointOf(const Matrix& a, int rows, int columns) {
  Matrix b(a.size());
  for (int r = 0; r < rows; ++r)
    for (int c = 0; c < columns; ++c)
      b[std::size_t(c * rows + r)] = std::conj(a[std::size_t(r * columns + c)]);
  return b;
}

double awayFromIdentity(const Matrix& a, int n) {
  double worst = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      worst = std::max(worst, std::abs(a[std::size_t(i * n + j)] - (i == j ? 1.0 : 0.0)));
  return worst;
}

// A A^H + a multiple of the identity: Hermitian, positive definite, far from diagonal.
Matrix someCovariance(int n) {
  Matrix a;
  for (int i = 0; i < n * n; ++i) a.push_back(complexNormal(7, std::uint64_t(i)));
  Matrix c = multiply(a, adjointOf(a, n, n), n, n, n);
  for (int i = 0; i < n; ++i) c[std::size_t(i * n + i)] += 0.3;
  return c;
}

std::shared_ptr<const Scan> noisyScan(int coils, double noise, double correlation,
                                      Index3 matrix = {48, 48, 1}) {
  SimulateOptions o;
  o.trajectory.matrix = matrix;
  o.trajectory.samplesPerShot = int(2 * matrix[0]);
  o.coils = coils;
  o.noise = noise;
  o.noiseCorrelation = correlation;
  return simulate(o, {});
}

ReconOptions plain() {
  ReconOptions o;
  o.nufft.alpha = 2;
  o.nufft.width = 5;
  o.prewhitening = Prewhitening::off;
  return o;
}

}  // namespace

class TestCoils : public QObject {
  Q_OBJECT
  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

 private slots:
  void eigenvectorsDiagonalise() {
    for (int n : {1, 2, 7, 24}) {
      const Matrix a = someCovariance(n);
      const HermitianEigen eigen = hermitianEigen(a, n);
      QVERIFY(std::is_sorted(eigen.values.rbegin(), eigen.values.rend()));
      Matrix v(eigen.vectors.size());  // rows conjugated: v a v^H is diagonal
      for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::conj(eigen.vectors[i]);
      QVERIFY(awayFromIdentity(multiply(v, adjointOf(v, n, n), n, n, n), n) < 1e-12);
      const Matrix d = multiply(multiply(v, a, n, n, n), adjointOf(v, n, n), n, n, n);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          QVERIFY(std::abs(d[std::size_t(i * n + j)] - (i == j ? eigen.values[std::size_t(i)] : 0.0)) <
                  1e-11 * eigen.values[0]);
    }
  }

  void whitenedNoiseHasTheIdentityAsCovariance() {
    const int n = 9;
    const Matrix psi = someCovariance(n);
    const Matrix w = whiteningMatrix(psi, n).value();
    QVERIFY(awayFromIdentity(multiply(multiply(w, psi, n, n, n), adjointOf(w, n, n), n, n, n), n) < 1e-12);
    // The same through a scan: its noise lines, mixed.
    const auto scan = noisyScan(6, 0.1, 0.7);
    ReconOptions options;
    options.prewhitening = Prewhitening::on;
    const ScanPreparation coils = prepareScan(*scan, planJob(*scan, options), {});
    QVERIFY(coils.scan);
    Matrix before = noiseCovariance(scan->noise, 6), after = noiseCovariance(coils.scan->noise, 6);
    double power = 0;
    for (int i = 0; i < 6; ++i) power += before[std::size_t(i * 7)].real() / 6;
    for (cdouble& v : before) v /= power;
    for (cdouble& v : after) v /= power;
    QVERIFY(awayFromIdentity(before, 6) > 0.5);
    QVERIFY2(awayFromIdentity(after, 6) < 1e-5, QByteArray::number(awayFromIdentity(after, 6)));
  }

  void whiteningIsAutomaticWhereNoiseLinesAre() {
    ReconOptions options;
    QVERIFY(prepareScan(*noisyScan(3, 0.1, 0.5), planJob(*noisyScan(3, 0.1, 0.5), options), {}).scan);
    QVERIFY(!prepareScan(*noisyScan(3, 0, 0), planJob(*noisyScan(3, 0, 0), options), {}).scan);
    QVERIFY(!prepareScan(*noisyScan(1, 0.1, 0), planJob(*noisyScan(1, 0.1, 0), options), {}).scan);
    options.prewhitening = Prewhitening::on;
    QVERIFY_EXCEPTION_THROWN(prepareScan(*noisyScan(3, 0, 0), planJob(*noisyScan(3, 0, 0), options), {}),
                             Error);
    Scan dead = *noisyScan(3, 0.1, 0.5);
    const std::size_t line = dead.noise.size() / 3;
    std::fill_n(dead.noise.begin() + std::ptrdiff_t(line), line, cfloat(0));
    QVERIFY_EXCEPTION_THROWN(prepareScan(dead, planJob(dead, options), {}), Error);
    options.prewhitening = Prewhitening::automatic;  // nobody asked for it: no error, but a word
    const ScanPreparation left = prepareScan(dead, planJob(dead, options), {});
    QVERIFY(!left.scan);
    QVERIFY(left.notes.front().find("not whitened") != std::string::npos);
    for (std::size_t j = 0; j < line; ++j)
      dead.noise[line + j] = cfloat(0, 0.3F) * dead.noise[j];  // the same twice
    QVERIFY(!prepareScan(dead, planJob(dead, options), {}).scan);
    options.prewhitening = Prewhitening::on;
    QVERIFY_EXCEPTION_THROWN(prepareScan(dead, planJob(dead, options), {}), Error);
    options.leaveOutCoils = "1";
    QCOMPARE(prepareScan(dead, planJob(dead, options), {}).scan->coils, 2);
  }

  void whitenedCoilsCombineWithLessNoise() {
    // Noise that neighbouring coils share: the root sum of squares of whitened coils sees less of
    // it.
    const auto clean = noisyScan(8, 0, 0), noisy = noisyScan(8, 0.5, 0.8);
    ReconOptions options = plain();
    options.combination = Combination::adaptive;
    const auto error = [&](Prewhitening how) {
      options.prewhitening = how;
      const auto a = runJob(*cpu_, *noisy, options, nullptr, nullptr, {});
      options.prewhitening = Prewhitening::off;
      const auto b = runJob(*cpu_, *clean, options, nullptr, nullptr, {});
      std::vector<double> x, y;
      for (const cfloat& v : a.image->data) x.push_back(std::abs(v));
      for (const cfloat& v : b.image->data) y.push_back(std::abs(v));
      return test::nrmse(x, y);
    };
    const double without = error(Prewhitening::off), with = error(Prewhitening::automatic);
    QVERIFY2(with < 0.9 * without, QByteArray::number(with / without));
  }

  void coilsAreLeftOut() {
    const auto scan = noisyScan(5, 0, 0);
    ReconOptions options = plain();
    options.leaveOutCoils = "0,3-4";
    const ScanPreparation coils = prepareScan(*scan, planJob(*scan, options), {});
    QCOMPARE(coils.scan->coils, 2);
    QCOMPARE(planJob(*scan, options).coils, 2);
    const std::int64_t samples = scan->trajectories[0].samples();
    for (std::int64_t j = 0; j < samples; ++j) {
      QCOMPARE(coils.scan->data(0, 0, 0)[j], scan->data(0, 0, 1)[j]);
      QCOMPARE(coils.scan->data(0, 0, 1)[j], scan->data(0, 0, 2)[j]);
    }
    const auto r = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY(r.notes.front().find("3 of 5 coils left out") != std::string::npos);
    QCOMPARE(r.options.leaveOutCoils, std::string("0,3-4"));
    options.leaveOutCoils = "0-4";
    QVERIFY_EXCEPTION_THROWN(prepareScan(*scan, planJob(*scan, options), {}), Error);
    options.leaveOutCoils = "5";
    QVERIFY_EXCEPTION_THROWN(prepareScan(*scan, planJob(*scan, options), {}), Error);
  }

  void compressionKeepsTheEnergyItCan() {
    // Closed form: 12 coils that are mixtures of 3 signals: 3 virtual coils hold everything.
    const std::int64_t samples = 5000;
    const auto base = noisyScan(1, 0, 0);
    Scan scan = *base;
    scan.coils = 12;
    scan.trajectories[0].points.resize(std::size_t(2 * samples));
    scan.trajectories[0].weights.clear();
    scan.trajectories[0].times.clear();
    scan.trajectories[0].shotOffsets = {0, samples};
    scan.samples[0].assign(std::size_t(12 * samples), cfloat(0));
    for (int c = 0; c < 12; ++c)
      for (std::uint64_t s = 0; s < 3; ++s) {
        const cfloat factor(complexNormal(50 + s, std::uint64_t(c)));
        for (std::int64_t j = 0; j < samples; ++j)
          scan.samples[0][std::size_t(c * samples + j)] +=
              factor * cfloat(complexNormal(90 + s, std::uint64_t(j))) / float(s + 1);
      }
    double all = 0;
    for (const cfloat& y : scan.samples[0]) all += double(std::norm(y));
    double last = 0;
    for (int keep : {1, 2, 3}) {
      ReconOptions options;
      options.virtualCoils = keep;
      const ScanPreparation coils = prepareScan(scan, planJob(scan, options), {});
      QCOMPARE(coils.scan->coils, keep);
      double kept = 0;
      for (const cfloat& y : coils.scan->samples[0]) kept += double(std::norm(y));
      QVERIFY(kept / all > last + 0.01);
      last = kept / all;
      // No other mixture of that many does better: the leading eigenvalues are the bound.
      Matrix covariance = noiseCovariance(scan.samples[0], 12);
      const HermitianEigen eigen = hermitianEigen(covariance, 12);
      double most = 0, total = 0;
      for (int i = 0; i < 12; ++i) {
        total += eigen.values[std::size_t(i)];
        if (i < keep) most += eigen.values[std::size_t(i)];
      }
      QVERIFY(std::abs(last - most / total) < 1e-5);
    }
    QVERIFY2(last > 0.99999, QByteArray::number(last));
  }

  void compressedImagesAreTheSame() {
    const auto scan = noisyScan(16, 0, 0);
    ReconOptions options = plain();
    const auto whole = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    options.virtualCoils = 16;
    QVERIFY(!prepareScan(*scan, planJob(*scan, options), {}).scan);
    options.virtualCoils = 5;  // the model's coils are mixtures of few exponentials
    const auto few = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    QVERIFY2(test::relativeDifference(few.image->data, whole.image->data) < 0.02,
             QByteArray::number(test::relativeDifference(few.image->data, whole.image->data)));
  }

  void adaptiveIsTheMatchedFilter() {
    // Noise-free coils: the root sum of squares, with the object's phase; values of a smooth object
    // are kept.
    const Index3 size{40, 32, 1};
    const int coils = 6;
    Phantom phantom;
    PhantomShape disc;
    disc.semiAxes = {0.35, 0.4, 0};
    disc.value = std::polar(1.0, 0.8);
    phantom.shapes = {disc};
    phantom.coils = modelCoils(2, coils);
    Buffer<cfloat> images;
    for (int c = 0; c < coils; ++c) {
      const Image image = phantomImage(phantom, size, c);
      images.insert(images.end(), image.data.begin(), image.data.end());
    }
    Buffer<cfloat> out(std::size_t(product(size)));
    combineAdaptively(images.data(), coils, size, 5, 0, out.data(), {});
    const Image truth = phantomImage(phantom, size);
    double phaseOff = 0;
    for (std::size_t i = 0; i < out.size(); ++i) {
      QVERIFY2(std::abs(std::abs(out[i]) - std::abs(truth.data[i])) < 0.02F,
               QByteArray::number(std::abs(out[i])));
      const std::size_t middle = std::size_t(16 * 40 + 20);
      if (truth.data[i] != 0.0F)
        phaseOff = std::max(phaseOff, double(std::abs(std::arg(out[i] / out[middle]))));
    }
    QVERIFY2(phaseOff < 0.7, QByteArray::number(phaseOff));  // that of one smooth virtual coil
  }

  void adaptiveBeatsRootSumOfSquaresInNoise() {
    // One object, eight coils, white noise as strong as each coil's signal: error of the magnitudes
    // to the truth.
    const Index3 size{48, 48, 1};
    const int coils = 8;
    Phantom phantom;
    phantom.shapes = {PhantomShape()};
    phantom.coils = modelCoils(2, coils);
    Buffer<cfloat> images;
    for (int c = 0; c < coils; ++c) {
      const Image image = phantomImage(phantom, size, c);
      for (std::size_t i = 0; i < image.data.size(); ++i)
        images.push_back(image.data[i] + cfloat(0.2 * complexNormal(std::uint64_t(c), i)));
    }
    const Image truth = phantomImage(phantom, size);
    Buffer<cfloat> adaptive(truth.data.size());
    combineAdaptively(images.data(), coils, size, 9, 0, adaptive.data(), {});
    double errorAdaptive = 0, errorRss = 0;
    for (std::size_t i = 0; i < truth.data.size(); ++i) {
      double square = 0;
      for (std::size_t c = 0; c < std::size_t(coils); ++c)
        square += double(std::norm(images[c * truth.data.size() + i]));
      const double m = std::abs(truth.data[i]);
      errorRss += std::pow(std::sqrt(square) - m, 2);
      errorAdaptive += std::pow(std::abs(adaptive[i]) - m, 2);
    }
    QVERIFY2(errorAdaptive < 0.4 * errorRss, QByteArray::number(errorAdaptive / errorRss));
  }

  void adaptiveIsThereFor3d() {
    SimulateOptions o;
    o.trajectory.pattern = Pattern::radial3d;
    o.trajectory.matrix = {20, 20, 20};
    o.trajectory.samplesPerShot = 40;
    o.coils = 4;
    const auto scan = simulate(o, {});
    ReconOptions options = plain();
    const auto rss = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    options.combination = Combination::adaptive;
    options.walshBlock = 3;
    const auto adaptive = runJob(*cpu_, *scan, options, nullptr, nullptr, {});
    std::vector<double> a, b;
    for (const cfloat& v : adaptive.image->data) a.push_back(std::abs(v));
    for (const cfloat& v : rss.image->data) b.push_back(std::abs(v));
    QVERIFY2(test::nrmse(a, b) < 0.06, QByteArray::number(test::nrmse(a, b)));
    QVERIFY(adaptive.notes.back().find("adaptively") != std::string::npos);
  }

  void combiningCanBeCancelled() {
    const Index3 size{64, 64, 1};
    Buffer<cfloat> images(std::size_t(4 * product(size)), cfloat(1)), out(std::size_t(product(size)));
    std::stop_source stop;
    stop.request_stop();
    bool cancelled = false;
    try {
      combineAdaptively(images.data(), 4, size, 9, 0, out.data(), Progress(stop.get_token()));
    } catch (const Cancelled&) {
      cancelled = true;
    }
    QVERIFY(cancelled);
  }
};

SPOKELAB_TEST(TestCoils)

}  // namespace test_coils

#include "test_coils.moc"
