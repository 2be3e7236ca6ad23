// The method `sector` on the CPU: tiles in boxes of cells give what tiles in the grid give, in both
// directions, for each scheduler, image set and place of points.
#include <QtTest>

#include <cmath>
#include <random>

#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/nufft/contract.h"
#include "tests/test_main.h"

namespace test_sectors {

using namespace spokelab;
using namespace spokelab::test;

namespace {

struct Pair {
  std::vector<cfloat> sector, blocked;
};

double difference(const Pair& pair) {
  double sum = 0, all = 0;
  for (std::size_t i = 0; i < pair.sector.size(); ++i) {
    sum += std::norm(pair.sector[i] - pair.blocked[i]);
    all += std::norm(pair.blocked[i]);
  }
  return all > 0 ? std::sqrt(sum / all) : std::sqrt(sum);
}

std::vector<double> placed(int dims, int count, bool crowded) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> everywhere(-0.5, 0.5), centre(-0.01, 0.01);
  std::vector<double> points;
  for (int i = 0; i < count * dims; ++i)
    points.push_back(crowded && i % 5 > 0 ? centre(random) : everywhere(random));
  points.insert(points.end(), std::size_t(dims), -0.5);  // the halo's other side
  points.insert(points.end(), std::size_t(dims), 0.499999);
  return points;
}

}  // namespace

class TestSectors : public QObject {
  Q_OBJECT

 private slots:
  void boxesGiveTheGridsNumbers_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("threads");
    QTest::addColumn<bool>("graph");
    QTest::addColumn<bool>("crowded");
    for (int dims = 1; dims <= 3; ++dims)
      for (const int batch : {1, 4})
        for (const int threads : {1, 3})
          for (const bool graph : {false, true})
            for (const bool crowded : {false, true})
              QTest::newRow(qPrintable(QStringLiteral("%1-D, batch %2, %3 threads%4%5")
                                           .arg(dims)
                                           .arg(batch)
                                           .arg(threads)
                                           .arg(graph ? QStringLiteral(", graph") : QString(),
                                                crowded ? QStringLiteral(", crowded") : QString())))
                  << dims << batch << threads << graph << crowded;
  }
  void boxesGiveTheGridsNumbers() {
    QFETCH(int, dims);
    QFETCH(int, batch);
    QFETCH(int, threads);
    QFETCH(bool, graph);
    QFETCH(bool, crowded);
    NufftProblem p;
    p.dims = dims;
    p.batch = batch;
    const std::int64_t sizes[] = {0, 500, 50, 18};
    for (int d = 0; d < dims; ++d) p.size[std::size_t(d)] = sizes[dims] + d;
    const std::vector<double> points = placed(dims, 3000, crowded);
    const std::int64_t count = std::int64_t(points.size()) / dims;
    std::mt19937 random(5);
    const auto x = normalData(random, batch * p.pixels()), y = normalData(random, batch * count);
    const std::vector<cfloat> image(x.begin(), x.end()), samples(y.begin(), y.end());
    Pair forward, adjoint, normal;
    for (const bool sector : {true, false}) {
      NufftOptions options;
      options.accuracy = 1e-4;
      options.threads = threads;
      options.normal = NormalMethod::gridded;
      options.scheduler.kind = graph ? Scheduler::graph : Scheduler::tiles;
      options.spread = options.interpolate = sector ? Method::sector : Method::blocked;
      const auto plan = makeCpuNufftFloat(p, options);
      QCOMPARE(plan->info().description.find("cpu sector") != std::string::npos, sector);
      plan->setPoints(points);
      const auto filled = [](std::size_t n) { return std::vector<cfloat>(n, cfloat(NAN, NAN)); };
      auto& f = (sector ? forward.sector : forward.blocked) = filled(samples.size());
      auto& a = (sector ? adjoint.sector : adjoint.blocked) = filled(image.size());
      auto& n = (sector ? normal.sector : normal.blocked) = filled(image.size());
      plan->forward(image.data(), f.data());
      plan->adjoint(samples.data(), a.data());
      plan->normal(image.data(), n.data());
    }
    constexpr double rounding = 1e-5;
    QVERIFY2(difference(forward) < rounding, qPrintable(QString::number(difference(forward))));
    QVERIFY2(difference(adjoint) < rounding, qPrintable(QString::number(difference(adjoint))));
    QVERIFY2(difference(normal) < rounding, qPrintable(QString::number(difference(normal))));
  }

  void contractHoldsInDouble() {
    for (int dims = 1; dims <= 3; ++dims)
      for (const bool adjoint : {false, true}) {
        ContractCase c;
        c.problem.dims = dims;
        for (int d = 0; d < dims; ++d) c.problem.size[std::size_t(d)] = 12 - d;
        c.problem.precision = Precision::double64;
        c.options.accuracy = 1e-8;
        c.options.spread = c.options.interpolate = Method::sector;
        c.points = placed(dims, 150, false);
        c.adjoint = adjoint;
        std::mt19937 random(9);
        const double error = runContract(c, random).error;
        QVERIFY2(error <= 1e-8, qPrintable(QString::number(error)));
      }
  }

  void sectorsAreAmongTheMethodsOfAnExhaustiveSearch() {
    const auto cpu = makeCpuBackend();
    const auto has = [](const std::vector<Method>& all) {
      return std::find(all.begin(), all.end(), Method::sector) != all.end();
    };
    QVERIFY(has(cpu->allInterpolateMethods({}, {})) && has(cpu->allSpreadMethods({}, {})));
    QVERIFY(!has(cpu->interpolateMethods({}, {})));
    NufftOptions asked;
    asked.interpolate = Method::sector;
    QVERIFY(has(cpu->interpolateMethods({}, asked)));
  }
};

SPOKELAB_TEST(TestSectors)

}  // namespace test_sectors

#include "test_sectors.moc"
