// Transforms whose samples are spread by the task graph: at random thread counts, partitions, sizes
// and points against tiles on one thread, run again bit by bit; their time lines; the tuner's race;
// the options.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <cmath>
#include <map>
#include <set>

#include "engine/core/error.h"
#include "engine/nufft/plan/plan.h"
#include "engine/nufft/plan/resolve.h"
#include "engine/nufft/schedule/timeline.h"
#include "engine/nufft/tune/refinements.h"
#include "engine/recon/options/options.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace test_scheduled_transforms {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Points of many kinds; those at the edge have kernels that reach round the period.
std::vector<double> pointsOf(std::mt19937& random, int kind, std::int64_t count, int dims) {
  std::vector<double> points = uniformPoints(random, count, dims);
  for (std::size_t i = 0; i < points.size(); ++i) switch (kind) {
      case 1:  // a crowd in the middle
        points[i] *= 0.03;
        break;
      case 2:  // the period's edge
        points[i] = 0.5 + 0.02 * points[i];
        break;
      case 3:  // a line of them
        points[i] = points[i / std::size_t(dims) * std::size_t(dims)];
        break;
      case 4:  // dense towards the centre
        points[i] = 4 * points[i] * std::abs(points[i] * points[i]);
        break;
      case 5:  // one place
        points[i] = 0.123;
        break;
      default:
        break;
    }
  return points;
}

double distance(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double square = 0;
  for (std::size_t i = 0; i < a.size(); ++i) square += std::norm(a[i] - b[i]);
  return std::sqrt(square / std::max(squareNorm(b), 1e-300));
}

}  // namespace

class TestScheduledTransforms : public QObject {
  Q_OBJECT
 private slots:
  void partitionsOfOne() {
    std::mt19937 random(2);
    const NufftProblem problem = problemOf(2, {40, 30, 1});
    NufftOptions options;
    options.scheduler = {Scheduler::graph, 0, 1};
    options.threads = 3;
    const auto plan = makeCpuNufftDouble(problem, options);
    plan->setPoints(uniformPoints(random, 500, 2));
    QVERIFY2(plan->info().description.find("task graph of 1x1") != std::string::npos,
             plan->info().description.c_str());
  }

  void transformsAgree_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 12; ++seed) QTest::addRow("seed %d", seed) << seed;
  }
  // Random thread counts, partitions, sizes, points, batches and parts left out.
  void transformsAgree() {
    QFETCH(int, seed);
    std::mt19937 random{unsigned(seed)};
    for (int run = 0; run < 12; ++run) {
      const int dims = between(random, 1, 3);
      Index3 size{1, 1, 1};
      for (std::size_t d = 0; d < std::size_t(dims); ++d)
        size[d] = between(random, 1, dims == 1 ? 900 : dims == 2 ? 90 : 26);
      NufftProblem problem = problemOf(dims, size);
      problem.batch = between(random, 0, 3) ? 1 : between(random, 3, 6);  // side by side
      NufftOptions options;
      options.interleave = 1;
      options.accuracy = std::pow(10.0, -between(random, 1, 9));
      options.normal = NormalMethod::gridded;
      options.precomputation = Precomputation(between(random, 0, 1) ? 1 : 3);
      options.threads = 1;
      const std::int64_t count = between(random, 0, 4) ? between(random, 1, 9000) : 1;
      const auto points = pointsOf(random, between(random, 0, 5), count, dims);
      const auto samples = normalData(random, count * problem.batch),
                 image = normalData(random, problem.pixels() * problem.batch);
      const auto reference = makeCpuNufftDouble(problem, options);
      options.threads = int(between(random, 1, 12));
      options.interleave = 0;
      options.scheduler = {Scheduler::graph, unsigned(between(random, 0, int(allSchedulerParts))),
                           between(random, 0, 2) ? int(between(random, 0, 12)) : 1};
      const auto plan = makeCpuNufftDouble(problem, options);
      const QByteArray text = QString("%1-D, %2 points, %3 threads, %4 partitions without %5")
                                  .arg(dims)
                                  .arg(count)
                                  .arg(options.threads)
                                  .arg(options.scheduler.partitions)
                                  .arg(schedulerPartsText(options.scheduler.off).c_str())
                                  .toUtf8();
      // others before: nothing of them must be left.
      plan->setPoints(uniformPoints(random, 300, dims));
      reference->setPoints(points);
      plan->setPoints(points);
      std::vector<cdouble> a(image.size()), b(image.size()), f(samples.size()), g(samples.size());
      reference->adjoint(samples.data(), a.data());
      plan->adjoint(samples.data(), b.data());
      QVERIFY2(distance(b, a) < 1e-12, text);
      for (int again = 0; again < 3; ++again) {
        std::vector<cdouble> c(image.size());
        plan->adjoint(samples.data(), c.data());
        QVERIFY2(c == b, text);  // bit by bit
      }
      reference->forward(image.data(), f.data());
      plan->forward(image.data(), g.data());
      QVERIFY2(distance(g, f) < 1e-12, text);
      const std::vector<double> weights(std::size_t(count), 0.3);
      reference->setWeights(weights);
      plan->setWeights(weights);
      reference->normal(image.data(), a.data());
      plan->normal(image.data(), b.data());
      QVERIFY2(distance(b, a) < 1e-12, text);
    }
  }

  void sparseAndToeplitzKeepTheirPoints() {
    std::mt19937 random(5);
    const NufftProblem problem = problemOf(3, {18, 20, 22});
    const auto points = pointsOf(random, 4, 4000, 3);
    const auto image = normalData(random, problem.pixels());
    std::vector<cdouble> expected(image.size()), result(image.size());
    NufftOptions options;
    options.accuracy = 1e-7;
    options.threads = 2;
    options.normal = NormalMethod::gridded;
    const auto plain = makeCpuNufftDouble(problem, options);
    plain->setPoints(points);
    plain->normal(image.data(), expected.data());
    options.scheduler = {Scheduler::graph, 0, 5};
    options.interpolate = Method::sparse;
    const auto sparse = makeCpuNufftDouble(problem, options);
    sparse->setPoints(points);
    sparse->normal(image.data(), result.data());
    QVERIFY(distance(result, expected) < 1e-6);
    options.interpolate = Method::automatic;
    options.normal = NormalMethod::toeplitz;
    const auto toeplitz = makeCpuNufftDouble(problem, options);
    toeplitz->setPoints(points);
    toeplitz->normal(image.data(), result.data());
    QVERIFY(distance(result, expected) < 1e-6);
  }

  void badPointsLeaveThePlanAsItWas() {
    std::mt19937 random(6);
    const NufftProblem problem = problemOf(2, {50, 60, 1});
    NufftOptions options;
    options.threads = 2;
    options.scheduler.kind = Scheduler::graph;
    const auto plan = makeCpuNufftDouble(problem, options);
    auto points = pointsOf(random, 4, 3000, 2);
    const auto samples = normalData(random, 3000);
    std::vector<cdouble> before(std::size_t(problem.pixels())), after(before.size());
    plan->setPoints(points);
    plan->adjoint(samples.data(), before.data());
    for (const double bad : {HUGE_VAL, -HUGE_VAL, std::nan("")}) {
      auto broken = uniformPoints(random, 3000, 2);
      broken[1999] = bad;
      QVERIFY_EXCEPTION_THROWN(plan->setPoints(broken), Error);
      plan->adjoint(samples.data(), after.data());
      QVERIFY(after == before);
    }
  }

  // Every sample in one interval; a thread does one thing at a time; private work and its reduction
  // belong together.
  void timelineTellsWhatRan_data() {
    QTest::addColumn<int>("scheduler");
    QTest::addColumn<int>("threads");
    for (const Scheduler s : {Scheduler::tiles, Scheduler::graph})
      for (const int threads : {1, 2, 6})
        QTest::addRow("%s %d", std::string(schedulerName(s)).c_str(), threads) << int(s) << threads;
  }
  void timelineTellsWhatRan() {
    QFETCH(int, scheduler);
    QFETCH(int, threads);
    std::mt19937 random(7);
    const NufftProblem problem = problemOf(2, {120, 130, 1});
    NufftOptions options;
    options.threads = threads;
    options.scheduler = {Scheduler(scheduler), 0, 2};  // few partitions: others would wait for each
    const auto plan = makeCpuNufftDouble(problem, options);
    constexpr std::int64_t count = 60000;
    plan->setPoints(pointsOf(random, 4, count, 2));
    const auto samples = normalData(random, count);
    std::vector<cdouble> image(std::size_t(problem.pixels()));
    Timeline timeline;
    {
      const TimelineRecorder view(timeline);
      plan->adjoint(samples.data(), image.data());
    }
    QCOMPARE(timeline.scheduler, std::string(schedulerName(Scheduler(scheduler))));
    QCOMPARE(timeline.threads, threads);
    QCOMPARE(timeline.points, count);
    QVERIFY(timeline.workers >= 1 && timeline.workers <= threads);
    std::int64_t spread = 0;
    std::map<int, double> free;
    std::map<std::int64_t, double> copied;
    std::set<std::int64_t> added;
    for (const WorkInterval& i : timeline.intervals) {
      QVERIFY(i.end >= i.begin && i.begin >= free[i.thread]);
      free[i.thread] = i.end;
      if (i.kind != WorkKind::reduction) spread += i.points;
      if (i.kind == WorkKind::spreadIntoCopy) copied[i.partition] = std::max(copied[i.partition], i.end);
      if (i.kind == WorkKind::reduction) {
        QVERIFY(copied.count(i.partition) && i.begin >= copied[i.partition]);
        added.insert(i.partition);
      }
      for (std::size_t d = 0; d < 2; ++d) QVERIFY(i.position[d] < timeline.partitions[d] && i.cells[d] > 0);
    }
    QCOMPARE(spread, count);
    QCOMPARE(added.size(), copied.size());
    QCOMPARE(copied.empty(), threads == 1);
    QVERIFY(timeline.busy() > 0 && timeline.busy() <= 1);
    const auto json = QJsonDocument::fromJson(QByteArray::fromStdString(timelineToJson(timeline))).object();
    QCOMPARE(json["intervals"].toArray().size(), qsizetype(timeline.intervals.size()));
    const std::vector<cdouble> recorded = image;
    plan->adjoint(samples.data(), image.data());
    QVERIFY(image == recorded);  // being watched changes nothing
  }

  void tunerRacesIt() {
    TuneRequest request;
    request.problem = problemOf(3, {32, 32, 32});
    request.options.threads = 4;
    Candidate winner;
    winner.backend = "cpu";
    winner.options.spread = winner.options.interpolate = Method::blocked;
    const auto graphs = [&] {
      std::vector<int> tried;
      for (const NufftOptions& o : refinements(request, winner))
        if (o.scheduler.kind == Scheduler::graph) tried.push_back(o.scheduler.partitions);
      return tried;
    };
    QCOMPARE(graphs(), std::vector<int>{0});
    request.effort = TuneEffort::exhaustive;
    QCOMPARE(graphs().size(), std::size_t(3));
    request.options.scheduler.partitions = 7;
    QCOMPARE(graphs(), std::vector<int>{7});
    request.options.scheduler.kind = Scheduler::tiles;
    QVERIFY(graphs().empty());
    request.options.scheduler = {};
    request.workload.direction = Direction::forward;
    QVERIFY(graphs().empty());
    request.workload.direction = Direction::both;
    request.options.threads = 1;
    QVERIFY(graphs().empty());
  }

  void optionsOfTheTable() {
    ReconOptions options;
    setOption(options, "scheduler", "graph");
    setOption(options, "scheduler-off", "queue,private");
    setOption(options, "partitions", "9");
    QVERIFY(options.nufft.scheduler.kind == Scheduler::graph && options.nufft.scheduler.partitions == 9);
    QVERIFY(!options.nufft.scheduler.has(SchedulerPart::queue) &&
            !options.nufft.scheduler.has(SchedulerPart::copies) &&
            options.nufft.scheduler.has(SchedulerPart::variable));
    QCOMPARE(optionValue(options, "scheduler-off"), std::string("queue,private"));
    setOption(options, "scheduler-off", "");
    QCOMPARE(options.nufft.scheduler.off, 0u);
    QVERIFY_EXCEPTION_THROWN(setOption(options, "scheduler-off", "queue,colour"), Error);
    QVERIFY_EXCEPTION_THROWN(setOption(options, "scheduler", "fifo"), Error);
    NufftOptions wild;
    wild.scheduler.partitions = -1;
    QVERIFY_EXCEPTION_THROWN(resolveOptions(problemOf(2, {16, 16, 1}), wild), Error);
  }
};

SPOKELAB_TEST(TestScheduledTransforms)

}  // namespace test_scheduled_transforms

#include "test_scheduled_transforms.moc"
