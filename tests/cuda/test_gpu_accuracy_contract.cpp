// Every spreading and interpolation method keeps the accuracy contract against the exact sums: 1-D
// to 3-D, float and double, odd and unequal sizes, points that are random, clustered, in one cell,
// on grid lines and at the edges.
#include <QtTest>
#include <algorithm>
#include <cmath>

#include "engine/core/error.h"
#include "engine/nufft/plan/resolve.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_accuracy_contract {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

constexpr int draws = 8;
// Points that all lie in one cell see one value in effect: 8 draws of it scatter by a quarter about
// their mean.
constexpr int oneCellDraws = 16;

struct Shape {
  const char* name;
  int dims;
  Index3 size;
  std::int64_t points;
};
const Shape shapes[] = {
    {"1-D", 1, {61, 1, 1}, 500}, {"2-D", 2, {25, 38, 1}, 1500}, {"3-D", 3, {14, 17, 20}, 3000}};
const std::pair<const char*, PointPattern> patterns[] = {{"random", PointPattern::random},
                                                         {"clustered", PointPattern::clustered},
                                                         {"edges", PointPattern::edges},
                                                         {"one cell", PointPattern::oneCell}};

const Method spreadMethods[] = {Method::pointDriven,  Method::pointSorted, Method::subproblem, Method::sector,
                                Method::outputDriven, Method::fixedPoint,  Method::cell,       Method::tensor,
                                Method::sparse,       Method::cusparse};
const Method interpolations[] = {Method::pointDriven, Method::pointSorted, Method::subproblem,
                                 Method::tensor,      Method::sparse,      Method::cusparse,
                                 Method::cell,        Method::sector};

// Empty, or why the method does not serve.
std::string refusal(const NufftProblem& problem, const NufftOptions& options, Method method, bool spread) {
  NufftOptions probe = options;
  (spread ? probe.spread : probe.interpolate) = method;
  const bool dbl = problem.precision == Precision::double64;
  try {
    if (dbl)
      backend()->plan<double>(problem, probe);
    else
      backend()->plan<float>(problem, probe);
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

// fixed point has no double form; sums of cells are for 1-D; tensor columns need two dimensions and
// at most 8 (float) or 12 (double) cells, a kernel that one polynomial holds, and a device that has
// them.
bool mayRefuse(const NufftProblem& problem, const NufftOptions& options, Method method,
               const std::string& reason) {
  constexpr double wideKernel = 1e-9;
  if (reason.find("compute capability") != std::string::npos) return method == Method::tensor;
  if (method == Method::fixedPoint) return problem.precision == Precision::double64;
  if (method == Method::cell) return problem.dims > 1;
  return method == Method::tensor &&
         (problem.dims == 1 || options.accuracy < wideKernel || options.kernel == KernelType::semicircle ||
          options.precomputation == Precomputation::linear);
}

}  // namespace

class TestGpuAccuracyContract : public QObject {
  Q_OBJECT
 private slots:
  void methodKeepsContract_data() {
    QTest::addColumn<int>("shape");
    QTest::addColumn<bool>("dbl");
    QTest::addColumn<double>("accuracy");
    QTest::addColumn<double>("alpha");
    QTest::addColumn<int>("kernel");
    QTest::addColumn<int>("precomputation");
    struct Row {
      bool dbl;
      double accuracy, alpha;
      KernelType kernel = KernelType::kaiserBessel;
      Precomputation precomputation = Precomputation::polynomial;
    };
    constexpr auto kaiserBessel = KernelType::kaiserBessel, prolate = KernelType::prolate,
                   semicircle = KernelType::semicircle;
    constexpr auto linear = Precomputation::linear;
    const Row rows[] = {{false, 1e-2, 2},
                        {false, 1e-3, 2},
                        {false, 1e-3, 1.25},
                        {false, 1e-5, 2},
                        {true, 1e-3, 1.5},
                        {true, 1e-6, 2},
                        {true, 1e-9, 2},
                        {true, 1e-12, 2},
                        {false, 1e-3, 1.25, prolate},
                        {false, 1e-5, 2, prolate},
                        {true, 1e-9, 2, prolate},
                        {false, 1e-3, 1.5, semicircle},
                        {false, 1e-3, 1.25, kaiserBessel, linear},
                        {true, 1e-6, 2, kaiserBessel, linear},
                        {true, 1e-6, 1.5, prolate, linear}};
    for (int s = 0; s < 3; ++s)
      for (const Row& r : rows)
        QTest::addRow("%s %s %g alpha %g %s %s", shapes[s].name, r.dbl ? "double" : "float", r.accuracy,
                      r.alpha, std::string(kernelName(r.kernel)).c_str(),
                      std::string(precomputationName(r.precomputation)).c_str())
            << s << r.dbl << r.accuracy << r.alpha << int(r.kernel) << int(r.precomputation);
  }
  void methodKeepsContract() {
    NEEDS_GPU();
    QFETCH(int, shape);
    QFETCH(bool, dbl);
    QFETCH(double, accuracy);
    QFETCH(double, alpha);
    QFETCH(int, kernel);
    QFETCH(int, precomputation);
    NufftProblem problem;
    problem.dims = shapes[shape].dims;
    problem.size = shapes[shape].size;
    problem.precision = dbl ? Precision::double64 : Precision::single;
    NufftOptions options;
    options.accuracy = accuracy;
    options.alpha = alpha;
    options.normal = NormalMethod::later;
    options.kernel = KernelType(kernel);
    options.precomputation = Precomputation(precomputation);
    for (std::size_t i = 0; i < std::size(spreadMethods); ++i) {
      const Method interpolation = interpolations[i % std::size(interpolations)];
      options.spread = options.interpolate = Method::automatic;
      const std::string notSpread = refusal(problem, options, spreadMethods[i], true);
      const std::string notInterpolated = refusal(problem, options, interpolation, false);
      const bool spreads = notSpread.empty(), interpolates = notInterpolated.empty();
      QVERIFY2(spreads || mayRefuse(problem, options, spreadMethods[i], notSpread), notSpread.c_str());
      QVERIFY2(interpolates || mayRefuse(problem, options, interpolation, notInterpolated),
               notInterpolated.c_str());
      if (spreads) options.spread = spreadMethods[i];
      if (interpolates) options.interpolate = interpolation;
      if (options.spread == Method::automatic && options.interpolate == Method::automatic) continue;
      for (const auto& [name, pattern] : patterns) {
        const auto points = makePoints(problem.dims, shapes[shape].points, pattern, 5);
        const int drawn = pattern == PointPattern::oneCell ? oneCellDraws : draws;
        double forward = 0, adjoint = 0;
        for (int d = 0; d < drawn; ++d) {
          const Errors e = errorsAgainstNudft(problem, options, points, unsigned(100 * d + 7));
          forward += e.forward * e.forward / drawn;
          adjoint += e.adjoint * e.adjoint / drawn;
        }
        const std::string text = std::string(name) + ": spread " + std::string(methodName(options.spread)) +
                                 " " + std::to_string(std::sqrt(adjoint) / accuracy) + ", interpolate " +
                                 std::string(methodName(options.interpolate)) + " " +
                                 std::to_string(std::sqrt(forward) / accuracy) + " of the accuracy asked for";
        QVERIFY2(std::sqrt(adjoint) <= accuracy && std::sqrt(forward) <= accuracy, text.c_str());
      }
    }
  }

  void everyWidthIsServed_data() {
    QTest::addColumn<double>("width");
    for (const double w : {1.75, 2.0, 2.5, 3.0, 4.25, 5.0, 6.5, 7.0, 8.0, 8.5, 9.0, 11.5, 13.0, 16.0})
      QTest::addRow("W %g", w) << w;
  }
  void everyWidthIsServed() {
    NEEDS_GPU();
    QFETCH(double, width);
    NufftProblem problem;
    problem.dims = 3;
    problem.size = {18, 20, 19};
    problem.precision = Precision::double64;
    NufftOptions options;
    options.alpha = 2;
    options.width = width;
    options.accuracy = 0.5;  // a given width is taken whatever it reaches
    const auto points = makePoints(3, 2000, PointPattern::random, 9);
    const Errors onCpu = errorsOnCpu(problem, options, points, 3);
    for (const Method method :
         {Method::pointSorted, Method::subproblem, Method::sector, Method::outputDriven}) {
      options.spread = method;
      options.interpolate =
          method == Method::subproblem || method == Method::sector ? method : Method::pointSorted;
      if (const std::string reason = refusal(problem, options, method, true); !reason.empty()) {
        // Tiles in double of 16 cells and more do not fit the least block.
        QVERIFY2(method != Method::pointSorted && reason.find("KB of shared memory") != std::string::npos,
                 reason.c_str());
        continue;
      }
      const Errors e = errorsAgainstNudft(problem, options, points, 3);
      const QString text = QString("%1: forward %2, adjoint %3; on the CPU %4, %5")
                               .arg(std::string(methodName(method)).c_str())
                               .arg(e.forward, 0, 'g', 12)
                               .arg(e.adjoint, 0, 'g', 12)
                               .arg(onCpu.forward, 0, 'g', 12)
                               .arg(onCpu.adjoint, 0, 'g', 12);
      // The same kernel on the same grid: they differ by rounding alone.
      QVERIFY2(std::abs(e.adjoint - onCpu.adjoint) <= 1e-6 * onCpu.adjoint + 1e-13, qPrintable(text));
      QVERIFY2(std::abs(e.forward - onCpu.forward) <= 1e-6 * onCpu.forward + 1e-13, qPrintable(text));
    }
  }

  // More cells than 32 bits can number, and enough points a bin that they are dealt out.
  void longGrid_data() {
    QTest::addColumn<int>("method");
    for (const Method method :
         {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::fixedPoint, Method::cell})
      QTest::addRow("%s", std::string(methodName(method)).c_str()) << int(method);
  }
  void longGrid() {
    NEEDS_GPU();
    QFETCH(int, method);
    NufftOptions options;
    options.accuracy = 1e-5;
    options.spread = Method(method);
    options.interpolate = Method(method) == Method::fixedPoint ? Method::subproblem : Method(method);
    NufftProblem problem;
    problem.dims = 1;
    problem.size = {20000, 1, 1};
    const Errors e = errorsAgainstNudft(problem, options, makePoints(1, 3000, PointPattern::random, 5), 4);
    QVERIFY2(e.forward <= options.accuracy && e.adjoint <= options.accuracy,
             qPrintable(QString("forward %1, adjoint %2").arg(e.forward).arg(e.adjoint)));
  }

  // 1/h amplifies what the unit of a task's integers leaves: tasks of 1024 points would leave 6e-6
  // and 1.4e-6.
  void integersOfFullTasks_data() {
    QTest::addColumn<double>("alpha");
    QTest::addColumn<double>("accuracy");
    QTest::newRow("alpha 1.27") << 1.27 << 3.5e-6;
    QTest::newRow("alpha 1.5") << 1.5 << 1e-6;
  }
  void integersOfFullTasks() {
    NEEDS_GPU();
    QFETCH(double, alpha);
    QFETCH(double, accuracy);
    NufftProblem problem;
    problem.dims = 1;
    problem.size = {2418, 1, 1};
    NufftOptions options;
    options.alpha = alpha;
    options.accuracy = accuracy;
    options.spread = Method::fixedPoint;
    const Errors e = errorsAgainstNudft(problem, options, makePoints(1, 30000, PointPattern::random, 5), 1);
    QVERIFY2(e.adjoint <= accuracy, qPrintable(QString::number(e.adjoint)));
  }

  // A place that is rounded to u G cells turns the outer pixels by more than the accuracy asked
  // for.
  void longGridInDouble_data() {
    QTest::addColumn<int>("method");
    for (const Method method : {Method::pointDriven, Method::pointSorted, Method::subproblem, Method::cell})
      QTest::addRow("%s", std::string(methodName(method)).c_str()) << int(method);
  }
  void longGridInDouble() {
    NEEDS_GPU();
    QFETCH(int, method);
    NufftProblem problem;
    problem.dims = 1;
    problem.size = {413'338, 1, 1};
    problem.precision = Precision::double64;
    NufftOptions options;
    options.alpha = 2;
    options.accuracy = std::max(1e-12, reachableAccuracy(problem, options));
    options.spread = options.interpolate = Method(method);
    const Errors e = errorsAgainstNudft(problem, options, makePoints(1, 200, PointPattern::random, 5), 4);
    QVERIFY2(e.forward <= options.accuracy && e.adjoint <= options.accuracy,
             qPrintable(QString("forward %1, adjoint %2").arg(e.forward).arg(e.adjoint)));
  }

  void outlierDoesNotDrownTheRest() {
    NEEDS_GPU();
    NufftProblem problem;
    problem.dims = 2;
    problem.size = {32, 32, 1};
    const auto points = makePoints(2, 2000, PointPattern::random, 1);
    auto samples = randomValues(2000, 2);
    samples[77] = 1e6;
    const auto exact = nudftAdjoint(problem, points, samples);
    for (const Method method : {Method::fixedPoint, Method::tensor, Method::pointSorted}) {
      NufftOptions options;
      options.accuracy = 1e-4;
      options.spread = method;
      const auto plan = backend()->plan<float>(problem, options);
      plan->setPoints(points);
      const auto in = converted<float>(samples);
      std::vector<cfloat> out(exact.size());
      plan->adjoint(in.data(), out.data());
      QVERIFY(contractError<float>(out, exact, samples) <= options.accuracy);
    }
  }
};

SPOKELAB_CORE_TEST(TestGpuAccuracyContract)

}  // namespace test_gpu_accuracy_contract

#include "test_gpu_accuracy_contract.moc"
