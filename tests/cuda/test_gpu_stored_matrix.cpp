// The stored interpolation matrix, multiplied by our own kernel and by cuSPARSE: both give the same
// numbers, repeat them bit by bit from plan to plan, follow new points, and know their memory. A
// library that is missing is named.
#include <QtTest>

#include "engine/core/modules/shared_library.h"
#include "engine/core/text.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_stored_matrix {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

template <class Real>
struct Results {
  std::vector<std::complex<Real>> image, samples;
  bool operator==(const Results&) const = default;
};

template <class Real>
NufftProblem problemOf(int dims, std::int64_t batch) {
  NufftProblem problem;
  problem.dims = dims;
  problem.size = {dims == 1 ? 200 : 24, dims > 1 ? 31 : 1, dims > 2 ? 18 : 1};
  problem.batch = batch;
  problem.precision = std::is_same_v<Real, double> ? Precision::double64 : Precision::single;
  return problem;
}

NufftOptions optionsOf(Method method) {
  NufftOptions options;
  options.accuracy = 1e-4;
  options.spread = options.interpolate = method;
  options.normal = NormalMethod::later;
  return options;
}

template <class Real>
Results<Real> run(Nufft<Real>& plan, std::span<const double> points) {
  const NufftProblem& p = plan.problem();
  plan.setPoints(points);
  const std::int64_t count = std::int64_t(points.size()) / p.dims;
  const auto image = converted<Real>(randomValues(p.batch * p.pixels(), 3)),
             samples = converted<Real>(randomValues(p.batch * count, 4));
  Results<Real> r{std::vector<std::complex<Real>>(image.size()),
                  std::vector<std::complex<Real>>(samples.size())};
  plan.forward(image.data(), r.samples.data());
  plan.adjoint(samples.data(), r.image.data());
  return r;
}

// Largest difference of sums in another order.
template <class Real>
constexpr double rounding = std::is_same_v<Real, double> ? 1e-13 : 1e-5;

template <class Real>
std::string whereTheyDiffer(const NufftProblem& problem, std::span<const double> points) {
  const auto sorted = backend()->plan<Real>(problem, optionsOf(Method::pointSorted)),
             ours = backend()->plan<Real>(problem, optionsOf(Method::sparse)),
             library = backend()->plan<Real>(problem, optionsOf(Method::cusparse));
  if (library->info().description.find("spread cusparse (transpose, ") == std::string::npos)
    return library->info().description;
  const auto expected = run(*sorted, points);
  std::string text;
  for (Nufft<Real>* const plan : {ours.get(), library.get()}) {
    const auto found = run(*plan, points);
    const double forward = relativeDistance<Real>(found.samples, expected.samples),
                 adjoint = relativeDistance<Real>(found.image, expected.image);
    if (!(forward < rounding<Real> && adjoint < rounding<Real>))
      text += std::string(methodName(plan->info().options.spread)) + ": forward " + numberText(forward, 3) +
              ", adjoint " + numberText(adjoint, 3) + "; ";
  }
  return text;
}

template <class Real>
bool sumsRepeat(Method method, std::int64_t batch) {
  const NufftProblem problem = problemOf<Real>(3, batch);
  const auto points = makePoints(3, 60000, PointPattern::clustered, 2);
  NufftOptions options = optionsOf(method);
  options.accuracy = 1e-2;  // few enough digits that no points are summed apart, in double
  const auto plan = backend()->plan<Real>(problem, options);
  const auto first = run(*plan, points);
  bool same = plan->info().description.find("crowded") == std::string::npos;
  for (int again = 0; again < 3; ++again)
    same = same && run(*backend()->plan<Real>(problem, options), points) == first;
  return same;
}

}  // namespace

class TestGpuStoredMatrix : public QObject {
  Q_OBJECT
 private slots:
  void libraryGivesOurNumbers_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("pattern");
    for (int dims = 1; dims <= 3; ++dims)
      for (const int batch : {1, 3, 8, 17})
        for (const PointPattern p : {PointPattern::random, PointPattern::clustered, PointPattern::edges})
          QTest::addRow("%d-D, %d images, pattern %d", dims, batch, int(p)) << dims << batch << int(p);
  }
  void libraryGivesOurNumbers() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(int, pattern);
    const auto points = makePoints(dims, 4321, PointPattern(pattern), 1);
    const std::string single = whereTheyDiffer<float>(problemOf<float>(dims, batch), points),
                      dbl = whereTheyDiffer<double>(problemOf<double>(dims, batch), points);
    QVERIFY2(single.empty(), single.c_str());
    QVERIFY2(dbl.empty(), dbl.c_str());
  }

  // Thousands of points in a cell, in any order that threads might find them.
  void sumsRepeatBitByBit_data() {
    QTest::addColumn<int>("batch");
    for (const int batch : {1, 5, 8}) QTest::addRow("%d images", batch) << batch;
  }
  void sumsRepeatBitByBit() {
    NEEDS_GPU();
    QFETCH(int, batch);
    QVERIFY(sumsRepeat<float>(Method::sparse, batch));
    QVERIFY(sumsRepeat<double>(Method::sparse, batch));
  }

  void newPointsReplaceOld() {
    NEEDS_GPU();
    const NufftProblem problem = problemOf<float>(2, 2);
    for (const Method method : {Method::sparse, Method::cusparse}) {
      const auto plan = backend()->plan<float>(problem, optionsOf(method));
      for (const std::int64_t count : {3000, 70, 9000, 1}) {
        const auto points = makePoints(2, count, PointPattern::random, unsigned(count));
        const auto fresh = backend()->plan<float>(problem, optionsOf(method));
        const auto found = run(*plan, points), expected = run(*fresh, points);
        QVERIFY(relativeDistance<float>(found.samples, expected.samples) < rounding<float>);
        QVERIFY(relativeDistance<float>(found.image, expected.image) < rounding<float>);
      }
      plan->setPoints({});
      std::vector<cfloat> image(std::size_t(2 * problem.pixels()), cfloat(1, 1));
      const cfloat none;
      plan->adjoint(&none, image.data());
      for (const cfloat v : image) QCOMPARE(v, cfloat(0));
    }
  }

  void coilsAreCountedInMemory() {
    NEEDS_GPU();
    constexpr std::int64_t count = 200000;
    const auto points = makePoints(3, count, PointPattern::random, 1);
    for (const Method method : {Method::sparse, Method::cusparse})
      for (const std::int64_t batch : {1, 8}) {
        NufftProblem problem = problemOf<float>(3, batch);
        problem.size = {40, 40, 40};
        const auto plan = backend()->plan<float>(problem, optionsOf(method));
        run(*plan, points);
        const double ratio = double(plan->info().memory) /
                             double(backend()->estimateMemory(problem, optionsOf(method), count));
        QVERIFY2(ratio <= 1.02 && ratio > 0.5, qPrintable(QString::number(ratio)));
      }
  }

  void tunerOffersBoth() {
    NEEDS_GPU();
    NufftOptions open;
    for (const Precision precision : {Precision::single, Precision::double64}) {
      NufftProblem problem = problemOf<float>(2, 1);
      problem.precision = precision;
      const std::vector<Method> offers[] = {backend()->allSpreadMethods(problem, open),
                                            backend()->allInterpolateMethods(problem, open)};
      for (const auto& offered : offers)
        for (const Method m : {Method::sparse, Method::cusparse})
          QVERIFY(std::find(offered.begin(), offered.end(), m) != offered.end());
    }
  }

  void missingLibraryIsNamed() {
    SharedLibrary library("libspokelab_is_not_there.so.1");
    int (*function)() = nullptr;
    library.find(function, "anything");
    QVERIFY(!library.complete() && !function);
    QVERIFY2(library.missing().find("libspokelab_is_not_there.so.1") != std::string::npos,
             library.missing().c_str());
  }
  void missingFunctionIsNamed() {
    SharedLibrary library("libm.so.6");
    double (*cosine)(double) = nullptr;
    library.find(cosine, "cos");
    QVERIFY(library.complete() && cosine && cosine(0) == 1);
    library.findOptional(cosine, "spokelab_has_no_such_function");
    QVERIFY(library.complete() && !cosine);
    library.find(cosine, "spokelab_has_no_such_function");
    QVERIFY(!library.complete());
    QVERIFY2(library.missing().find("spokelab_has_no_such_function") != std::string::npos,
             library.missing().c_str());
  }
};

SPOKELAB_CORE_TEST(TestGpuStoredMatrix)

}  // namespace test_gpu_stored_matrix

#include "test_gpu_stored_matrix.moc"
