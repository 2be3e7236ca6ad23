// NufftOptions::reproducible on the GPU: adjoint, normal operator and SENSE give the same bits in
// every run; methods whose sums have no fixed order are refused; crowds keep the accuracy.
#include <QtTest>

#include <cstring>

#include "engine/core/error.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_reproducible {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

using Points = gputest::PointPattern;

constexpr int runs = 5;

template <class Value>
bool same(const std::vector<Value>& a, const std::vector<Value>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(Value)) == 0;
}

NufftProblem problemOf(int dims, std::int64_t batch) {
  const Index3 sizes[] = {{5000, 1, 1}, {128, 120, 1}, {40, 36, 44}};
  NufftProblem problem;
  problem.dims = dims;
  problem.size = sizes[dims - 1];
  problem.batch = batch;
  return problem;
}

// Adjoint and normal by a separate plan.
template <class Real>
std::vector<std::complex<Real>> results(const NufftProblem& problem, const NufftOptions& options,
                                        const std::vector<double>& points) {
  const auto plan = backend()->plan<Real>(problem, options);
  plan->setPoints(points);
  const auto samples = converted<Real>(randomValues(problem.batch * plan->points(), 2));
  const auto image = converted<Real>(randomValues(problem.batch * problem.pixels(), 1));
  std::vector<std::complex<Real>> adjoint(image.size()), normal(image.size());
  plan->adjoint(samples.data(), adjoint.data());
  plan->normal(image.data(), normal.data());
  adjoint.insert(adjoint.end(), normal.begin(), normal.end());
  return adjoint;
}

template <class Real>
void repeats(const NufftProblem& problem, const NufftOptions& options, const std::vector<double>& points) {
  const auto first = results<Real>(problem, options, points);
  for (int run = 1; run < runs; ++run) QVERIFY(same(first, results<Real>(problem, options, points)));
}

std::shared_ptr<const Scan> scanOf(int dims) {
  SimulateOptions simulation;
  simulation.trajectory.pattern = dims == 3 ? spokelab::Pattern::radial3d : spokelab::Pattern::radial2d;
  simulation.trajectory.matrix = dims == 3 ? Index3{24, 24, 24} : Index3{64, 64, 1};
  simulation.coils = 4;
  return simulate(simulation, {});
}

}  // namespace

class TestGpuReproducible : public QObject {
  Q_OBJECT
 private slots:
  void adjointAndNormalRepeatBitByBit_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("pattern");
    QTest::addColumn<int>("normal");
    for (const int dims : {1, 2, 3})
      for (const Points pattern : {Points::random, Points::clustered, Points::oneCell})
        for (const NormalMethod normal :
             {NormalMethod::gridded, NormalMethod::toeplitz, NormalMethod::toeplitzShifted})
          QTest::addRow("%d-D pattern %d %s", dims, int(pattern),
                        std::string(normalMethodName(normal)).c_str())
              << dims << int(pattern) << int(normal);
  }
  void adjointAndNormalRepeatBitByBit() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, pattern);
    QFETCH(int, normal);
    const auto points = makePoints(dims, 100'000, Points(pattern), 3);
    NufftOptions options;
    options.reproducible = true;
    options.normal = NormalMethod(normal);
    repeats<float>(problemOf(dims, 1), options, points);
    repeats<float>(problemOf(dims, 5), options, points);
    options.accuracy = 1e-8;
    repeats<double>(problemOf(dims, 1), options, points);
  }

  void interpolationRepeatsInEveryMethodThatServes() {
    NEEDS_GPU();
    const auto points = makePoints(3, 50'000, Points::clustered, 4);
    NufftOptions options;
    options.reproducible = true;
    options.normal = NormalMethod::later;
    for (const Method m : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sparse}) {
      options.interpolate = m;
      repeats<float>(problemOf(3, 2), options, points);
    }
    options.interpolate = Method::tensor;
    options.accuracy = 1e-9;  // W > 8: halves of a sample's sum meet
    NufftProblem wide = problemOf(3, 2);
    wide.precision = Precision::double64;
    if (offers(Method::tensor, wide, {})) repeats<double>(wide, options, points);
  }

  void crowdsKeepTheAccuracy_data() {
    QTest::addColumn<int>("pattern");
    QTest::newRow("clustered") << int(Points::clustered);
    QTest::newRow("one cell") << int(Points::oneCell);
    QTest::newRow("edges") << int(Points::edges);
  }
  void crowdsKeepTheAccuracy() {
    NEEDS_GPU();
    QFETCH(int, pattern);
    NufftOptions options;
    options.reproducible = true;
    constexpr double oneDraw = 1.25;  // the contract is of the mean over draws
    for (const double accuracy : {1e-2, 1e-5})
      for (const int dims : {1, 2, 3}) {
        options.accuracy = accuracy;
        NufftProblem small;
        small.dims = dims;
        small.size = dims == 1 ? Index3{64, 1, 1} : dims == 2 ? Index3{24, 20, 1} : Index3{14, 12, 16};
        const Errors e = errorsAgainstNudft(small, options, makePoints(dims, 60'000, Points(pattern), 5), 6);
        QVERIFY2(e.forward < oneDraw * accuracy && e.adjoint < oneDraw * accuracy,
                 qPrintable(
                     QStringLiteral("%1-D %2: %3 %4").arg(dims).arg(accuracy).arg(e.forward).arg(e.adjoint)));
      }
  }

  void methodsWithoutAnOrderAreRefused_data() {
    QTest::addColumn<int>("method");
    for (const Method m : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::sector,
                           Method::tensor, Method::sparse, Method::cusparse})
      QTest::addRow("%s", std::string(methodName(m)).c_str()) << int(m);
  }
  void methodsWithoutAnOrderAreRefused() {
    NEEDS_GPU();
    QFETCH(int, method);
    NufftOptions options;
    options.spread = Method(method);
    QVERIFY(!backend()->spreadMethods(problemOf(3, 1), options).empty());
    options.reproducible = true;
    QVERIFY(backend()->spreadMethods(problemOf(3, 1), options).empty());
    try {
      backend()->plan<float>(problemOf(3, 1), options);
      QFAIL("not refused");
    } catch (const Error& e) {
      QVERIFY2(e.reason().find("reproducible") != std::string::npos, e.reason().c_str());
    }
  }

  void imagesRepeatBitByBit_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<QString>("method");
    QTest::addColumn<QString>("precision");
    for (const int dims : {2, 3})
      for (const char* method : {"gridding", "sense"})
        for (const char* precision : {"single", "double"})
          QTest::addRow("%d-D %s %s", dims, method, precision) << dims << method << precision;
  }
  void imagesRepeatBitByBit() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(QString, method);
    QFETCH(QString, precision);
    const auto scan = scanOf(dims);
    ReconOptions options;
    setOption(options, "backend", "cuda");
    setOption(options, "reproducible", "true");
    setOption(options, "method", method.toStdString());
    setOption(options, "precision", precision.toStdString());
    setOption(options, "density", "pipe-menon");
    setOption(options, "iterations", "5");
    if (method == "sense") setOption(options, "coil-maps", "espirit");
    const auto image = [&] { return reconstruct({backend()}, *scan, options, nullptr, {}).image; };
    const auto first = image();
    for (int run = 1; run < runs; ++run) {
      const auto again = image();
      QVERIFY(first->data.size() > 0 && first->data.size() == again->data.size());
      QVERIFY(std::memcmp(first->data.data(), again->data.data(), first->data.size() * sizeof(cfloat)) == 0);
      QCOMPARE(first->doubleData.size(), again->doubleData.size());
      if (!first->doubleData.empty())
        QVERIFY(std::memcmp(first->doubleData.data(), again->doubleData.data(),
                            first->doubleData.size() * sizeof(cdouble)) == 0);
    }
  }
};

SPOKELAB_TEST(TestGpuReproducible)

}  // namespace test_gpu_reproducible

#include "test_gpu_reproducible.moc"
