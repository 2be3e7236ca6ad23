// Primal-dual steps reach FISTA's minimum; without density weights the preconditioner in k-space
// brings far fewer iterations, and it is the diagonal that its definition asks for.
#include <QtTest>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/recon/sense/dual/kspace_preconditioner.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_primal_dual {

using namespace spokelab;
using namespace spokelab::test;

class TestPrimalDual : public QObject {
  Q_OBJECT

  static std::shared_ptr<const Scan> spokes() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::goldenRadial2d;
    options.trajectory.matrix = {48, 48, 1};
    options.trajectory.shots = 40;
    options.coils = 4;
    options.noise = 0.02;
    return simulate(options, {});
  }
  static ReconOptions optionsOf(const char* solver, int iterations, const char* weights) {
    ReconOptions options = senseOptions();
    setOption(options, "method", "wavelet");
    setOption(options, "solver", solver);
    setOption(options, "data-weights", weights);
    setOption(options, "wavelet-shifts", "false");
    options.iterative.solver.iterations = iterations;
    options.iterative.solver.tolerance = 0;
    options.iterative.solver.lambda = 2e-3;
    return options;
  }
  static std::vector<double> objectives(const Scan& scan, const char* solver, int iterations,
                                        const char* weights = "none") {
    return run(scan, optionsOf(solver, iterations, weights)).iterations.front().objectives;
  }
  // Iterations until the objective stays within 1 % of `least`; 0: never.
  static int stepsTo(const std::vector<double>& told, double least) {
    int steps = 0;
    for (std::size_t i = told.size(); i-- > 0 && told[i] < 1.01 * least;) steps = int(i) + 1;
    return steps;
  }

 private slots:
  void allSolversReachTheSameMinimum_data() {
    QTest::addColumn<QString>("weights");
    QTest::newRow("density weights") << "density";
    QTest::newRow("no weights") << "none";
  }
  void allSolversReachTheSameMinimum() {
    QFETCH(const QString, weights);
    const QByteArray name = weights.toLatin1();
    const auto scan = spokes();
    const double least = objectives(*scan, "fista", 600, name).back();
    for (const char* solver : {"pdhg", "pdhg-kspace"}) {
      const double found = objectives(*scan, solver, 600, name).back();
      QVERIFY2(std::abs(found / least - 1) < 2e-3,
               qPrintable(QString("%1: %2 instead of %3").arg(solver).arg(found).arg(least)));
    }
  }

  void thePreconditionerBringsFewIterationsWithoutDensityWeights() {
    const auto scan = spokes();
    const double least = objectives(*scan, "pdhg-kspace", 600).back();
    const int plain = stepsTo(objectives(*scan, "pdhg", 300), least),
              fista = stepsTo(objectives(*scan, "fista", 300), least),
              better = stepsTo(objectives(*scan, "pdhg-kspace", 300), least);
    const QByteArray told = QString("fista %1, pdhg %2, pdhg-kspace %3 (0: more than 300)")
                                .arg(fista)
                                .arg(plain)
                                .arg(better)
                                .toUtf8();
    QVERIFY2(better > 0 && (fista == 0 || 2 * better < fista) && (plain == 0 || 2 * better < plain), told);
  }

  // p = |row|^2 / sum of |products of rows|^2 w, by all rows.
  void thePreconditionerIsThatOfItsDefinition() {
    constexpr std::int64_t n = 8, samples = 60, coils = 2;
    SenseProblem problem;
    problem.matrix = {n, n, 1};
    std::mt19937 random(4);
    std::uniform_real_distribution<double> unit(-1, 1);
    Buffer<double> points, weights;
    for (std::int64_t j = 0; j < samples; ++j) {
      points.insert(points.end(), {n / 2 * unit(random), n / 2 * unit(random)});
      weights.push_back(1.5 + unit(random));
    }
    const double total = sum(weights);
    problem.points = SharedValues(points);
    problem.weights = SharedValues(weights);
    problem.shotOffsets = {0, samples};
    for (std::int64_t i = 0; i < coils * n * n; ++i)
      problem.maps.emplace_back(float(1 + 0.5 * unit(random)), float(0.5 * unit(random)));
    problem.coils.resize(coils, static_cast<const cfloat*>(nullptr));
    std::vector<std::vector<cdouble>> rows;
    for (std::int64_t c = 0; c < coils; ++c)
      for (std::size_t j = 0; j < samples; ++j) {
        std::vector<cdouble> row;
        for (std::int64_t i = 0; i < n * n; ++i) {
          const double turn = points[2 * j] * double(i % n) + points[2 * j + 1] * double(i / n);
          row.push_back(cdouble(problem.maps[std::size_t(c * n * n + i)]) *
                        std::polar(1.0, -2 * std::numbers::pi * turn / double(n)));
        }
        rows.push_back(row);
      }
    const std::vector<double> p = kspacePreconditioner(problem, total, {});
    QCOMPARE(p.size(), rows.size());
    for (std::size_t a = 0; a < rows.size(); ++a) {
      double square = 0, others = 0;
      for (std::size_t b = 0; b < rows.size(); ++b) {
        cdouble product = 0;
        for (std::size_t i = 0; i < rows[a].size(); ++i) product += rows[a][i] * std::conj(rows[b][i]);
        if (a == b) square = product.real();
        others += weights[b % samples] / total * std::norm(product);
      }
      QVERIFY2(std::abs(p[a] * others / square - 1) < 0.1,
               qPrintable(QString("%1: %2 instead of %3").arg(a).arg(p[a]).arg(square / others)));
    }
  }

  void aCancelKeepsTheLastImageAndAWatcherChangesLambda() {
    const auto scan = spokes();
    ReconOptions options = optionsOf("pdhg-kspace", 30, "none");
    std::stop_source stop;
    options.iterative.watcher = [&](const IterationState& state) {
      IterationCommand command;
      if (state.iteration == 2) command.lambda = 0.05;
      if (state.iteration == 6) stop.request_stop();
      return command;
    };
    const Reconstruction result =
        runJob(*makeCpuBackend(), *scan, options, nullptr, nullptr, Progress(stop.get_token()));
    QVERIFY(result.cancelled);
    QCOMPARE(result.iterations.front().lambdaChanges.size(), std::size_t(1));
    QVERIFY(std::abs(result.image->data[std::size_t(24 * 48 + 24)]) > 0);
  }
};

SPOKELAB_TEST(TestPrimalDual)

}  // namespace test_primal_dual

#include "test_primal_dual.moc"
