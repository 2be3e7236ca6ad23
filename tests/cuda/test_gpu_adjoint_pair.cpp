// forward and adjoint are each other's conjugate transpose: <A x, y> = <x, A^H y> for each pair of
// methods, both signs.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_adjoint_pair {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

template <class Real>
double mismatch(const NufftProblem& problem, const NufftOptions& options) {
  using Complex = std::complex<Real>;
  constexpr std::int64_t count = 4000;
  const auto plan = backend()->plan<Real>(problem, options);
  plan->setPoints(makePoints(problem.dims, count, PointPattern::random, 3));
  const auto x = converted<Real>(randomValues(problem.pixels(), 4)),
             y = converted<Real>(randomValues(count, 5));
  std::vector<Complex> ax(y.size()), ahy(x.size());
  plan->forward(x.data(), ax.data());
  plan->adjoint(y.data(), ahy.data());
  cdouble left = 0, right = 0;
  double a = 0, b = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    left += cdouble(ax[i]) * std::conj(cdouble(y[i]));
    a += std::norm(cdouble(ax[i]));
    b += std::norm(cdouble(y[i]));
  }
  for (std::size_t i = 0; i < x.size(); ++i) right += cdouble(x[i]) * std::conj(cdouble(ahy[i]));
  return std::abs(left - right) / std::sqrt(a * b);
}

}  // namespace

class TestGpuAdjointPair : public QObject {
  Q_OBJECT
 private slots:
  // The same kernel both ways: they agree to rounding, far below the accuracy of either.
  void innerProductsAgree_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sign");
    for (int dims = 1; dims <= 3; ++dims)
      for (int sign : {-1, 1}) QTest::addRow("%d-D sign %d", dims, sign) << dims << sign;
  }
  void innerProductsAgree() {
    NEEDS_GPU();
    QFETCH(int, dims);
    QFETCH(int, sign);
    NufftProblem problem;
    problem.dims = dims;
    problem.sign = sign;
    problem.size = {24, dims > 1 ? 31 : 1, dims > 2 ? 18 : 1};
    NufftOptions options;
    options.accuracy = 1e-3;
    for (const Method spread : {Method::pointDriven, Method::subproblem, Method::sector, Method::outputDriven,
                                Method::sparse, Method::cusparse}) {
      options.spread = spread;
      options.interpolate = spread == Method::pointDriven ? Method::subproblem
                            : spread == Method::sector    ? Method::sector
                                                          : Method::pointSorted;
      problem.precision = Precision::double64;
      QVERIFY(mismatch<double>(problem, options) < 1e-13);
      problem.precision = Precision::single;
      QVERIFY(mismatch<float>(problem, options) < 2e-6);
    }
    if (dims == 1) {
      options.spread = options.interpolate = Method::cell;
      problem.precision = Precision::double64;
      QVERIFY(mismatch<double>(problem, options) < 1e-13);
      problem.precision = Precision::single;
      QVERIFY(mismatch<float>(problem, options) < 2e-6);
    } else {
      options.spread = options.interpolate = Method::tensor;
      problem.precision = Precision::double64;
      NufftOptions open = options;
      open.spread = open.interpolate = Method::automatic;
      const std::vector<Method> offered = backend()->allSpreadMethods(problem, open);
      // Tensor cores of older devices have no double precision.
      if (std::find(offered.begin(), offered.end(), Method::tensor) != offered.end())
        QVERIFY(mismatch<double>(problem, options) < 1e-12);
      problem.precision = Precision::single;
      QVERIFY(mismatch<float>(problem, options) < options.accuracy);  // fp16 pairs round in their own ways
    }
    options.interpolate = Method::pointSorted;
    options.spread = Method::fixedPoint;
    QVERIFY(mismatch<float>(problem, options) < 2e-6);
  }
};

SPOKELAB_CORE_TEST(TestGpuAdjointPair)

}  // namespace test_gpu_adjoint_pair

#include "test_gpu_adjoint_pair.moc"
