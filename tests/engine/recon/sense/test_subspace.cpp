// Subspace reconstructions: the solver beside a dense least-squares solution, and scans of decaying
// phantoms beside the truth.
#include <QtTest>
#include <cmath>

#include "engine/core/hermitian.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/recon/sense/solve_sense.h"
#include "engine/scan/simulate/echo_train.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_subspace {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int side = 6, pixels = side * side, coils = 2, frames = 5, coefficients = 2, samples = 40,
              unknowns = coefficients * pixels;

// Random points, weights and samples; the frames of `shared` have the points of the first.
struct Small {
  std::vector<std::vector<cdouble>> data;  // [frame and coil][sample]
  std::vector<SenseProblem> problems;

  explicit Small(bool shared, bool kernels = false) {
    data.reserve(frames * coils);
    for (int t = 0; t < frames; ++t) {
      SenseProblem p;
      p.matrix = {side, side, 1};
      p.shotOffsets = {0, samples};
      p.precision = Precision::double64;
      p.transform = kernels ? TransformKind::nufft : TransformKind::gdft;
      p.nufft.accuracy = 1e-9;
      p.nufft.threads = 1;
      p.basisKernels = kernels;
      const auto seed = std::uint64_t(shared ? 1 : t + 1);
      if (!shared || t == 0) {
        for (int j = 0; j < 2 * samples; ++j)
          p.points.own().push_back(side * (uniformNumber(seed, std::uint64_t(j)) - 0.5));
        for (int j = 0; j < samples; ++j)
          p.weights.own().push_back(0.5 + uniformNumber(seed + 50, std::uint64_t(j)));
      } else {
        p.points = SharedValues::at(problems.front().points);
        p.weights = SharedValues::at(problems.front().weights);
      }
      for (int c = 0; c < coils; ++c) {
        data.emplace_back();
        for (int j = 0; j < samples; ++j)
          data.back().push_back(complexNormal(std::uint64_t(100 + t * coils + c), std::uint64_t(j)));
        p.coils.emplace_back(static_cast<const cdouble*>(data.back().data()));
      }
      for (int i = 0; t == 0 && i < coils * pixels; ++i)
        p.maps.push_back(cfloat(complexNormal(7, std::uint64_t(i))));
      for (int k = 0; k < coefficients; ++k)
        p.basis.push_back(complexNormal(9, std::uint64_t(t * coefficients + k)));
      if (kernels)
        for (cdouble& v : p.basis) v = v.real();
      problems.push_back(std::move(p));
    }
  }

  // (A^H W A / D + lambda) x = A^H W y / D of the dense matrix.
  std::vector<cdouble> denseSolution(double lambda) const {
    std::vector<cdouble> normal(unknowns * unknowns), right(unknowns);
    double total = 0;
    for (const SenseProblem& p : problems)
      for (int j = 0; j < samples; ++j) total += p.weights[std::size_t(j)] / frames;
    for (int t = 0; t < frames; ++t)
      for (int c = 0; c < coils; ++c)
        for (int j = 0; j < samples; ++j) {
          const SenseProblem& p = problems[std::size_t(t)];
          std::vector<cdouble> row(unknowns);
          for (int i = 0; i < pixels; ++i) {
            const double turns = (p.points[std::size_t(2 * j)] * (i % side - side / 2) +
                                  p.points[std::size_t(2 * j + 1)] * (i / side - side / 2)) /
                                 side;
            const cdouble value = cdouble(problems.front().maps[std::size_t(c * pixels + i)]) *
                                  std::polar(1.0, -2 * std::numbers::pi * turns);
            for (int k = 0; k < coefficients; ++k)
              row[std::size_t(k * pixels + i)] = value * p.basis[std::size_t(k)];
          }
          const double w = p.weights[std::size_t(j)] / total;
          for (int a = 0; a < unknowns; ++a) {
            right[std::size_t(a)] +=
                w * std::conj(row[std::size_t(a)]) * data[std::size_t(t * coils + c)][std::size_t(j)];
            for (int b = 0; b < unknowns; ++b)
              normal[std::size_t(a * unknowns + b)] +=
                  w * std::conj(row[std::size_t(a)]) * row[std::size_t(b)];
          }
        }
    for (int a = 0; a < unknowns; ++a) normal[std::size_t(a * unknowns + a)] += lambda;
    std::vector<cdouble> lower;
    if (!cholesky(normal, unknowns, lower)) return {};
    const std::vector<cdouble> inverse = invertLower(lower, unknowns);
    const std::vector<cdouble> half = multiply(inverse, right, unknowns, unknowns, 1);
    std::vector<cdouble> x(unknowns);
    for (int a = 0; a < unknowns; ++a)
      for (int b = 0; b < unknowns; ++b)
        x[std::size_t(a)] += std::conj(inverse[std::size_t(b * unknowns + a)]) * half[std::size_t(b)];
    return x;
  }
};

double apart(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double difference = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(difference / norm);
}

// Sixteen echoes of a head.
SimulateOptions echoTrain(int shots = 5) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::goldenRadial2d;
  options.trajectory.matrix = {32, 32, 1};
  options.trajectory.samplesPerShot = 64;
  options.trajectory.shots = shots;
  for (int e = 1; e <= 16; ++e) options.echoTimes.push_back(0.008 * e);
  options.decayShapes = true;
  options.coils = 4;
  return options;
}

ReconOptions subspaceOptions(const char* method) {
  ReconOptions options = senseOptions();
  setOption(options, "method", method);
  setOption(options, "t2-range", "30-1500");
  setOption(options, "coefficients", "3");
  options.iterative.solver.iterations = 20;
  options.iterative.coilMaps = "walsh";
  options.nufft.threads = 1;
  return options;
}

// Of magnitudes of a frame, after the scale that fits all frames best.
double frameError(const Image& image, const Image& reference, int frame) {
  double product = 0, square = 0, difference = 0, norm = 0;
  for (std::size_t i = 0; i < reference.data.size(); ++i) {
    product += double(std::abs(image.data[i])) * double(std::abs(reference.data[i]));
    square += double(std::norm(image.data[i]));
  }
  for (std::int64_t i = 0; i < reference.volume(); ++i) {
    const double r = std::abs(reference.frame(frame)[i]);
    difference += std::pow(product / square * std::abs(image.frame(frame)[i]) - r, 2);
    norm += r * r;
  }
  return std::sqrt(difference / norm);
}

}  // namespace

class TestSubspace : public QObject {
  Q_OBJECT

 private slots:
  void theSolverFindsTheDenseSolution_data() {
    QTest::addColumn<bool>("shared");
    QTest::addColumn<bool>("kernels");
    QTest::newRow("each frame has its points") << false << false;
    QTest::newRow("all frames share points") << true << false;
    QTest::newRow("kernels for pairs of coefficients") << false << true;
  }
  void theSolverFindsTheDenseSolution() {
    QFETCH(const bool, shared);
    QFETCH(const bool, kernels);
    const Small small(shared, kernels);
    const SenseSolution s = makeCpuBackend()
                                ->jointRun(small.problems)
                                ->run({200, 0.05, 1e-10, Regularization::tikhonov}, {}, false, {});
    const std::vector<cdouble> dense = small.denseSolution(0.05);
    QCOMPARE(s.doubleImage.size(), dense.size());
    QCOMPARE(s.transform.find("pair of coefficients") != std::string::npos, kernels);
    const double difference = apart(s.doubleImage, dense);
    QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
  }

  void decaysComeOutOfFewSpokes_data() {
    QTest::addColumn<QString>("method");
    QTest::newRow("subspace") << "subspace";
    QTest::newRow("t2-shuffling") << "t2-shuffling";
  }
  void decaysComeOutOfFewSpokes() {
    QFETCH(const QString, method);
    const auto scan = simulate(echoTrain(), {});
    QCOMPARE(scan->trajectories.size(), std::size_t(16));
    const Reconstruction reference = run(*simulate(echoTrain(60), {}), subspaceOptions("sense")),
                         alone = run(*scan, subspaceOptions("sense"));
    ReconOptions options = subspaceOptions(qPrintable(method));
    if (method == "t2-shuffling") {
      options.iterative.solver.lambda = 1e-2;
      options.iterative.solver.iterations = 60;
    }
    const Reconstruction joint = run(*scan, options);
    QCOMPARE(joint.image->frames, 16);
    QCOMPARE(joint.iterations.size(), std::size_t(1));
    double worst = 0, worstAlone = 0;
    for (const int f : {0, 8, 15}) {
      worst = std::max(worst, frameError(*joint.image, *reference.image, f));
      worstAlone = std::max(worstAlone, frameError(*alone.image, *reference.image, f));
    }
    QVERIFY2(worst < 0.5 * worstAlone, qPrintable(QString("%1, alone %2").arg(worst).arg(worstAlone)));
  }

  void coefficientsMakeTheFrames() {
    const auto scan = simulate(echoTrain(), {});
    ReconOptions options = subspaceOptions("subspace");
    const Reconstruction asFrames = run(*scan, options);
    setOption(options, "subspace-images", "coefficients");
    const Reconstruction asCoefficients = run(*scan, options);
    QCOMPARE(asCoefficients.image->frames, 3);
    const TemporalBasis basis = planJob(*scan, options).basis;
    const std::int64_t n = asFrames.image->volume();
    std::vector<cfloat> made(static_cast<std::size_t>(n));
    for (int k = 0; k < 3; ++k)
      for (std::int64_t i = 0; i < n; ++i)
        made[std::size_t(i)] +=
            cfloat(basis.values[std::size_t(5 * 3 + k)]) * asCoefficients.image->frame(k)[i];
    QVERIFY(relativeDifference(made, std::span(asFrames.image->frame(5), std::size_t(n))) < 1e-4);
  }

  void kernelsAgreeWithTheFrames() {
    const auto scan = simulate(echoTrain(), {});
    ReconOptions options = subspaceOptions("subspace");
    setOption(options, "basis-normal", "kernels");
    const Reconstruction kernels = run(*scan, options);
    QVERIFY(kernels.iterations.front().transform.find("pair of coefficients") != std::string::npos);
    setOption(options, "basis-normal", "frames");
    const Reconstruction frames = run(*scan, options);
    QVERIFY(frames.iterations.front().transform.find("pair") == std::string::npos);
    QVERIFY(relativeDifference(kernels.image->data, frames.image->data) < 5e-3);
    setOption(options, "basis-normal", "auto");
    QVERIFY(planJob(*scan, options).basisKernels);  // 9 convolutions, 16 frames
    setOption(options, "coefficients", "4");
    QVERIFY(!planJob(*scan, options).basisKernels);
    setOption(options, "basis-normal", "kernels");
    setOption(options, "normal", "gridded");
    QVERIFY(reasonOf(*scan, options).find("no kernels") != std::string::npos);
  }

  void doublePrecisionAgrees() {
    const auto scan = simulate(echoTrain(), {});
    ReconOptions options = subspaceOptions("subspace");
    const Reconstruction single = run(*scan, options);
    options.precision = Precision::double64;
    const Reconstruction wide = run(*scan, options);
    QCOMPARE(wide.image->doubleData.size(), single.image->data.size());
    double difference = 0, norm = 0;
    for (std::size_t i = 0; i < single.image->data.size(); ++i) {
      difference += std::norm(wide.image->doubleData[i] - cdouble(single.image->data[i]));
      norm += std::norm(wide.image->doubleData[i]);
    }
    QVERIFY(std::sqrt(difference / norm) < 1e-2);
  }
};

SPOKELAB_TEST(TestSubspace)

}  // namespace test_subspace

#include "test_subspace.moc"
