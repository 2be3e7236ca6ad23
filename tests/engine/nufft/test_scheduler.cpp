// The task graph: partitions, order, queue and private copies by themselves; then whole transforms at random thread
// counts, partitions and sizes against tiles on one thread, run again bit by bit.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cmath>
#include <map>
#include <memory>
#include <set>
#include <thread>

#include "engine/core/error.h"
#include "engine/nufft/candidates.h"
#include "engine/nufft/partition.h"
#include "engine/nufft/task_run.h"
#include "engine/nufft/timeline.h"
#include "engine/recon/backend.h"
#include "engine/recon/options.h"
#include "random_problem.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr SchedulerPart parts[] = {SchedulerPart::variable, SchedulerPart::graph, SchedulerPart::queue,
                                   SchedulerPart::privatise, SchedulerPart::reorder};

int between(std::mt19937& random, int low, int high) {
  return std::uniform_int_distribution<int>(low, high)(random);
}

GridLayout tilesOf(int dims, const Index3& tiles, std::int64_t width = 10) {
  GridLayout layout;
  layout.dims = dims;
  layout.tiles = tiles;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    layout.grid[d] = tiles[d] * width;
    layout.tile[d] = width;
  }
  layout.cells = product(layout.grid);
  return layout;
}

std::vector<std::int64_t> beginsOf(const std::vector<std::int64_t>& counts) {
  std::vector<std::int64_t> begin{0};
  for (const std::int64_t n : counts) begin.push_back(begin.back() + n);
  return begin;
}

std::int64_t someCells(std::int64_t) {
  return 100;
}

bool adjacent(const GridLayout& layout, std::int64_t a, std::int64_t b) {
  const Index3 p = layout.tilePosition(a), q = layout.tilePosition(b);
  return a != b && std::abs(p[0] - q[0]) <= 1 && std::abs(p[1] - q[1]) <= 1 && std::abs(p[2] - q[2]) <= 1;
}

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

class TestScheduler : public QObject {
  Q_OBJECT
 private slots:
  // papers/multicore-nufft-task-graph, Fig. 5: as narrow as may be, and no narrower than the share of points asks.
  void partitionsFollowThePoints() {
    std::mt19937 random(1);
    for (int run = 0; run < 400; ++run) {
      const std::int64_t cells = between(random, 1, 200);
      PartitionRule rule;
      rule.step = between(random, 0, 1) ? 8 : 1;
      rule.smallest = rule.step * between(random, 1, 12);
      rule.wanted = between(random, 1, 20);
      std::vector<std::int64_t> cumulative{0};
      for (std::int64_t i = 0; i < cells; ++i)
        cumulative.push_back(cumulative.back() + (run % 3 ? between(random, 0, 9) : i / 2));
      const auto edges = partitionEdges(cumulative, rule);
      const double share = double(cumulative.back()) / double(rule.wanted);
      QCOMPARE(edges.front(), 0);
      QCOMPARE(edges.back(), cells);
      const auto held = [&](std::int64_t a, std::int64_t b) {
        return double(cumulative[std::size_t(b)] - cumulative[std::size_t(a)]);
      };
      for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const std::int64_t width = edges[i + 1] - edges[i];
        QVERIFY(edges[i] % rule.step == 0 && width > 0);
        QVERIFY(width >= rule.smallest || edges.size() == 2);
        if (i + 2 == edges.size()) break;  // the last one holds what is left
        QVERIFY(held(edges[i], edges[i + 1]) >= share);
        if (width > rule.smallest) QVERIFY(held(edges[i], edges[i + 1] - rule.step) < share);
      }
      rule.variable = false;
      const auto alike = partitionEdges(cumulative, rule);
      for (std::size_t i = 0; i + 3 < alike.size(); ++i)
        QCOMPARE(alike[i + 1] - alike[i], alike[i + 2] - alike[i + 1]);
      rule.variable = true;
      rule.largest = 2 * rule.smallest + rule.step;
      for (const auto& all = partitionEdges(cumulative, rule); const std::int64_t edge : all)
        QVERIFY(edge == 0 || edge - *(std::lower_bound(all.begin(), all.end(), edge) - 1) <= rule.largest);
    }
  }

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

  // Every task once, after all that it shares cells with and that come before; never beside one of them. Real threads,
  // more than there are processors.
  void neighboursNeverRunAtOnce_data() {
    QTest::addColumn<unsigned>("off");
    QTest::newRow("all parts") << 0u;
    for (const SchedulerPart part : parts)
      QTest::addRow("without %s", schedulerPartsText(unsigned(part)).c_str()) << unsigned(part);
    QTest::newRow("no part") << allSchedulerParts;
  }
  void neighboursNeverRunAtOnce() {
    QFETCH(unsigned, off);
    std::mt19937 random(3);
    for (int run = 0; run < 40; ++run) {
      const int dims = 1 + run % 3, threads = between(random, 1, 9);
      Index3 tiles{1, 1, 1};
      for (std::size_t d = 0; d < std::size_t(dims); ++d) tiles[d] = between(random, 1, dims == 3 ? 4 : 7);
      const GridLayout layout = tilesOf(dims, tiles);
      std::vector<std::int64_t> counts;
      for (std::int64_t t = 0; t < layout.tileCount(); ++t) {
        const bool crowded = between(random, 0, 9) == 0;
        counts.push_back(crowded ? between(random, 100, 900) : between(random, 0, 12));
      }
      const SchedulerChoice choice{Scheduler::graph, off, 0};
      TaskGraph graph;
      graph.build(layout, beginsOf(counts), choice, threads, someCells);
      const std::size_t count = counts.size();
      std::unique_ptr<std::atomic<int>[]> state(new std::atomic<int>[count]);  // 0 waits, 1 runs, 2 done
      std::unique_ptr<std::atomic<int>[]> copied(new std::atomic<int>[count]);
      for (std::size_t i = 0; i < count; ++i) state[i] = copied[i] = 0;
      std::atomic<int> wrong{0};
      std::vector<int> plain(count * 2,
                             0);  // not atomic: what the order protects, the thread sanitizer watches
      TaskRun work(graph, choice);
      std::vector<std::thread> pool;
      for (int t = 0; t < threads; ++t)
        pool.emplace_back([&] {
          work.work([&](const GraphStep& step) {
            const auto at = std::size_t(step.task);
            if (step.copy >= 0) {
              if (state[at] != 0) ++wrong;
              ++copied[at];
              return;
            }
            if (state[at].exchange(1) != 0 || copied[at] != int(graph.tasks()[at].copies)) ++wrong;
            for (std::size_t other = 0; other < count; ++other) {
              if (!adjacent(layout, step.task, std::int64_t(other))) continue;
              const bool before = graph.tasks()[other].turn < graph.tasks()[at].turn;
              const int seen = counts[other] == 0 ? (before ? 2 : 0) : state[other].load();
              if (seen != (before ? 2 : 0)) ++wrong;
              plain[other] += 1;
            }
            if (step.task % 3 == 0) std::this_thread::yield();
            state[at] = 2;
          });
        });
      for (std::thread& t : pool) t.join();
      QCOMPARE(wrong.load(), 0);
      for (std::size_t i = 0; i < count; ++i) {
        QCOMPARE(state[i].load(), counts[i] == 0 ? 0 : 2);
        int expected = 0;
        for (std::size_t j = 0; j < count; ++j)
          expected += counts[j] > 0 && adjacent(layout, std::int64_t(i), std::int64_t(j));
        QCOMPARE(plain[i], expected);
      }
    }
  }

  // Fig. 6: at most two edges each way; turns differ in one bit of the partition's index.
  void edgesAreFew() {
    const GridLayout layout = tilesOf(3, {5, 1, 4});
    TaskGraph graph;
    graph.build(layout, beginsOf(std::vector<std::int64_t>(20, 1)), {}, 2, someCells);
    QCOMPARE(graph.turns(), 4);  // a dimension of one partition gives no bit
    int edges = 0, waits = 0;
    for (std::int64_t t = 0; t < layout.tileCount(); ++t) {
      const GraphTask& task = graph.tasks()[std::size_t(t)];
      waits += task.predecessors;
      for (const std::int32_t next : task.successor) {
        if (next < 0) continue;
        ++edges;
        QVERIFY(adjacent(layout, t, next));
        QCOMPARE(graph.tasks()[std::size_t(next)].turn, task.turn + 1);
      }
    }
    QVERIFY(edges > 0 && edges == waits);
    // Gray order of the bits (x, z): 00 01 11 10
    const int turn[2][2] = {{0, 1}, {3, 2}};
    for (std::int64_t z = 0; z < 4; ++z)
      for (std::int64_t x = 0; x < 5; ++x)
        QCOMPARE(graph.tasks()[std::size_t(x + 5 * z)].turn, turn[z & 1][x & 1]);
  }

  // Eq. 6: M / (T 2^(d+1)).
  void copiesByTheThreshold() {
    const GridLayout layout = tilesOf(2, {6, 6, 1});
    std::vector<std::int64_t> counts(36, 10);
    counts[14] = 640;
    counts[20] = 62;
    counts[21] = 63;  // M = 1095; 4 threads, 2 dimensions: 34.2 ... 2 threads: 68.4
    const auto privatised = [&](int threads, unsigned off = 0) {
      TaskGraph graph;
      graph.build(layout, beginsOf(counts), {Scheduler::graph, off, 0}, threads, someCells);
      std::set<std::int64_t> tasks;
      std::int64_t points = 0;
      for (const GraphCopy& copy : graph.copies()) {
        tasks.insert(copy.task);
        points += copy.end - copy.begin;
      }
      std::int64_t expected = 0;
      for (const std::int64_t t : tasks) expected += counts[std::size_t(t)];
      if (points != expected) tasks.insert(-1);
      return tasks;
    };
    QCOMPARE(privatised(4), (std::set<std::int64_t>{14, 20, 21}));
    QCOMPARE(privatised(2), (std::set<std::int64_t>{14}));
    QVERIFY(privatised(4, unsigned(SchedulerPart::privatise)).empty());
    // copies never take more than the grid
    TaskGraph graph;
    graph.build(layout, beginsOf(counts), {}, 8, [&](std::int64_t) { return layout.cells / 2; });
    QCOMPARE(graph.copies().size(), std::size_t(2));
  }

  void largestFirst() {
    const GridLayout layout = tilesOf(1, {9, 1, 1});
    const std::vector<std::int64_t> counts{3, 1, 9, 1, 5, 1, 7, 1, 8};
    const auto order = [&](unsigned off) {
      const SchedulerChoice choice{Scheduler::graph, off | unsigned(SchedulerPart::privatise), 0};
      TaskGraph graph;
      graph.build(layout, beginsOf(counts), choice, 2, someCells);
      std::vector<std::int64_t> taken;
      TaskRun(graph, choice).work([&](const GraphStep& step) { taken.push_back(step.task); });
      return taken;
    };
    // 7 is ready once 6 and 8 have finished, but smaller than what is ready already
    QCOMPARE(order(0), (std::vector<std::int64_t>{2, 8, 6, 4, 0, 1, 3, 5, 7}));
    const auto queued = order(unsigned(SchedulerPart::queue));
    QCOMPARE((std::vector<std::int64_t>(queued.begin(), queued.begin() + 5)),
             (std::vector<std::int64_t>{0, 2, 4, 6, 8}));
    const auto barriers = order(unsigned(SchedulerPart::graph));
    for (std::size_t i = 0; i < 5; ++i) QVERIFY(barriers[i] % 2 == 0);
  }

  void failuresReachTheCaller() {
    const GridLayout layout = tilesOf(2, {6, 6, 1});
    TaskGraph graph;
    graph.build(layout, beginsOf(std::vector<std::int64_t>(36, 5)), {}, 4, someCells);
    TaskRun run(graph, {});
    std::atomic<int> thrown{0}, ended{0};
    std::vector<std::thread> pool;
    for (int t = 0; t < 4; ++t)
      pool.emplace_back([&] {
        try {
          run.work([](const GraphStep& step) {
            if (step.task == 14) throw Error("a", "b", "c");
          });
        } catch (const Error&) {
          ++thrown;
        }
        ++ended;
      });
    for (std::thread& t : pool) t.join();
    QCOMPARE(thrown.load(), 1);
    QCOMPARE(ended.load(), 4);
  }

  void transformsAgree_data() {
    QTest::addColumn<int>("seed");
    for (int seed = 0; seed < 12; ++seed) QTest::addRow("seed %d", seed) << seed;
  }
  // Random thread counts, partitions, sizes, points and parts left out.
  void transformsAgree() {
    QFETCH(int, seed);
    std::mt19937 random{unsigned(seed)};
    for (int run = 0; run < 12; ++run) {
      const int dims = between(random, 1, 3);
      Index3 size{1, 1, 1};
      for (std::size_t d = 0; d < std::size_t(dims); ++d)
        size[d] = between(random, 1, dims == 1 ? 900 : dims == 2 ? 90 : 26);
      const NufftProblem problem = problemOf(dims, size);
      NufftOptions options;
      options.accuracy = std::pow(10.0, -between(random, 1, 9));
      options.normal = NormalMethod::gridded;
      options.precomputation = Precomputation(between(random, 0, 1) ? 1 : 3);
      options.threads = 1;
      const std::int64_t count = between(random, 0, 4) ? between(random, 1, 9000) : 1;
      const auto points = pointsOf(random, between(random, 0, 5), count, dims);
      const auto samples = normalData(random, count), image = normalData(random, problem.pixels());
      const auto reference = makeCpuNufftDouble(problem, options);
      options.threads = between(random, 1, 12);
      options.scheduler = {Scheduler::graph, unsigned(between(random, 0, int(allSchedulerParts))),
                           between(random, 0, 2) ? between(random, 0, 12) : 1};
      const auto plan = makeCpuNufftDouble(problem, options);
      const QByteArray text = QString("%1-D, %2 points, %3 threads, %4 partitions without %5")
                                  .arg(dims)
                                  .arg(count)
                                  .arg(options.threads)
                                  .arg(options.scheduler.partitions)
                                  .arg(schedulerPartsText(options.scheduler.off).c_str())
                                  .toUtf8();
      plan->setPoints(uniformPoints(random, 300, dims));  // others before: nothing of them must be left
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

  // Every sample in one interval; a thread does one thing at a time; private work and its reduction belong together.
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
    options.scheduler.kind = Scheduler(scheduler);
    const auto plan = makeCpuNufftDouble(problem, options);
    constexpr std::int64_t count = 60000;
    plan->setPoints(pointsOf(random, 4, count, 2));
    const auto samples = normalData(random, count);
    std::vector<cdouble> image(std::size_t(problem.pixels()));
    Timeline timeline;
    Execution execution;
    execution.timeline = &timeline;
    plan->adjoint(samples.data(), image.data(), execution);
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
      if (i.kind == WorkKind::privateSpread) copied[i.partition] = std::max(copied[i.partition], i.end);
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
    request.direction = Direction::forward;
    QVERIFY(graphs().empty());
    request.direction = Direction::both;
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
            !options.nufft.scheduler.has(SchedulerPart::privatise) &&
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

QTEST_APPLESS_MAIN(TestScheduler)
#include "test_scheduler.moc"
