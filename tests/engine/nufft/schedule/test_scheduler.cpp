// The task graph by itself: partitions, order, queue and private copies, with more threads than
// there are processors.
#include <QtTest>

#include <atomic>
#include <cmath>
#include <memory>
#include <set>
#include <thread>

#include "engine/core/error.h"
#include "engine/nufft/schedule/partition.h"
#include "engine/nufft/schedule/task_run.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/test_main.h"

namespace test_scheduler {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr SchedulerPart parts[] = {SchedulerPart::variable, SchedulerPart::graph, SchedulerPart::queue,
                                   SchedulerPart::copies, SchedulerPart::reorder};

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

}  // namespace

class TestScheduler : public QObject {
  Q_OBJECT
 private slots:
  // [multicore-nufft] Fig. 5: as narrow as may be, and no narrower than the share
  // of points asks.
  void partitionsFollowThePoints() {
    std::mt19937 random(1);
    for (int run = 0; run < 400; ++run) {
      const std::int64_t cells = between(random, 1, 200);
      PartitionRule rule;
      rule.step = between(random, 0, 1) ? 8 : 1;
      rule.minCells = rule.step * between(random, 1, 12);
      rule.partitions = between(random, 1, 20);
      std::vector<std::int64_t> cumulative{0};
      for (std::int64_t i = 0; i < cells; ++i)
        cumulative.push_back(cumulative.back() + (run % 3 ? between(random, 0, 9) : i / 2));
      const auto edges = partitionEdges(cumulative, rule);
      const double share = double(cumulative.back()) / double(rule.partitions);
      QCOMPARE(edges.front(), 0);
      QCOMPARE(edges.back(), cells);
      const auto held = [&](std::int64_t a, std::int64_t b) {
        return double(cumulative[std::size_t(b)] - cumulative[std::size_t(a)]);
      };
      for (std::size_t i = 0; i + 1 < edges.size(); ++i) {
        const std::int64_t width = edges[i + 1] - edges[i];
        QVERIFY(edges[i] % rule.step == 0 && width > 0);
        QVERIFY(width >= rule.minCells || edges.size() == 2);
        if (i + 2 == edges.size()) break;  // the last one holds what is left
        QVERIFY(held(edges[i], edges[i + 1]) >= share);
        if (width > rule.minCells) QVERIFY(held(edges[i], edges[i + 1] - rule.step) < share);
      }
      rule.variable = false;
      const auto alike = partitionEdges(cumulative, rule);
      for (std::size_t i = 0; i + 3 < alike.size(); ++i)
        QCOMPARE(alike[i + 1] - alike[i], alike[i + 2] - alike[i + 1]);
      rule.variable = true;
      rule.maxCells = 2 * rule.minCells + rule.step;
      for (const auto& all = partitionEdges(cumulative, rule); const std::int64_t edge : all)
        QVERIFY(edge == 0 || edge - *(std::lower_bound(all.begin(), all.end(), edge) - 1) <= rule.maxCells);
    }
  }

  // Every task once, after all that it shares cells with and that come before; never beside one of
  // them. Real threads, more than there are processors.
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
      // 0 waits, 1 runs, 2 done.
      std::unique_ptr<std::atomic<int>[]> state(new std::atomic<int>[count]);
      std::unique_ptr<std::atomic<int>[]> copied(new std::atomic<int>[count]);
      for (std::size_t i = 0; i < count; ++i) state[i] = copied[i] = 0;
      std::atomic<int> wrong{0};
      // Not atomic: what the order protects, the thread sanitizer watches.
      std::vector<int> plain(count, 0);
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
            }
            // a task's points reach into the partitions above, never into those below
            const Index3 place = layout.tilePosition(step.task);
            for (std::int64_t z = place[2]; z < std::min(place[2] + 2, tiles[2]); ++z)
              for (std::int64_t y = place[1]; y < std::min(place[1] + 2, tiles[1]); ++y)
                for (std::int64_t x = place[0]; x < std::min(place[0] + 2, tiles[0]); ++x)
                  plain[std::size_t(x + tiles[0] * (y + tiles[1] * z))] += 1;
            if (step.task % 3 == 0) std::this_thread::yield();
            state[at] = 2;
          });
        });
      for (std::thread& t : pool) t.join();
      QCOMPARE(wrong.load(), 0);
      for (std::size_t i = 0; i < count; ++i) {
        QCOMPARE(state[i].load(), counts[i] == 0 ? 0 : 2);
        int expected = 0;
        const Index3 at = layout.tilePosition(std::int64_t(i));
        for (std::size_t j = 0; j < count; ++j) {
          const Index3 from = layout.tilePosition(std::int64_t(j));
          const auto reaches = [&](std::size_t d) { return at[d] == from[d] || at[d] == from[d] + 1; };
          expected += counts[j] > 0 && reaches(0) && reaches(1) && reaches(2);
        }
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

  // Eq. 6: M / (T 2^(d+1)), and more than M / (2 T) in a row of turns.
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
    // Next to 21 task 20 waits too long; alone in its row of turns it need not be copied.
    QCOMPARE(privatised(4), (std::set<std::int64_t>{14, 21}));
    QCOMPARE(privatised(2), (std::set<std::int64_t>{14}));
    QVERIFY(privatised(4, unsigned(SchedulerPart::copies)).empty());
    // copies never take more than the grid
    TaskGraph graph;
    graph.build(layout, beginsOf(counts), {}, 8, [&](std::int64_t) { return layout.cells / 2; });
    QCOMPARE(graph.copies().size(), std::size_t(2));
  }

  // A small grid under a wide kernel: eight tasks of a turn each would wait for each other while
  // most of 16 threads have nothing to do. All tasks are cut into copies, and none is in a row.
  void wideKernelsCopyAllTasksOfASmallGrid() {
    GridLayout layout = tilesOf(3, {2, 4, 4}, 16);
    constexpr int threads = 16;
    constexpr std::int64_t perTask = 12000, each = (16 + 12) * (16 + 12) * (16 + 12);
    const auto begins = beginsOf(std::vector<std::int64_t>(32, perTask));
    const auto longestRow = [&](int halo) {
      layout.halo = {halo, halo, halo};
      TaskGraph graph;
      graph.build(layout, begins, {}, threads, [](std::int64_t) { return each; });
      std::vector<std::int64_t> row(graph.tasks().size());
      for (int turn = graph.turns() - 1; turn >= 0; --turn)
        for (std::size_t t = 0; t < row.size(); ++t) {
          const GraphTask& task = graph.tasks()[t];
          if (task.turn != turn) continue;
          for (const std::int32_t next : task.successor)
            if (next >= 0) row[t] = std::max(row[t], row[std::size_t(next)]);
          row[t] += task.copies > 0 ? 0 : task.points;
        }
      std::int64_t cells = 0;
      for (const GraphCopy& copy : graph.copies()) {
        if (copy.end - copy.begin > begins.back() / (2 * threads)) return std::int64_t(-1);
        cells += each;
      }
      if (cells > copyCellLimit(layout, begins.back()) ||
          cells > copyCellLimit(layout, begins.back(), threads))
        return std::int64_t(-1);
      return *std::max_element(row.begin(), row.end());
    };
    QVERIFY(longestRow(12) >= 0 && longestRow(12) <= begins.back() / (2 * threads));
    QVERIFY(longestRow(2) > begins.back() / (2 * threads));  // narrow: a copy costs too much
  }

  // A sample of many points does not alias with a readout's length: each of 1024 samples has a
  // different place along x.
  void histogramsOfManyPointsAreFair() {
    constexpr std::int64_t readout = 1024, count = readout * 1024;
    GridLayout layout = tilesOf(2, {8, 8, 1}, 16);
    std::vector<double> points;
    for (std::int64_t j = 0; j < count; ++j) {
      points.push_back((double(j % readout) + 0.5) / readout - 0.5);
      points.push_back((double(j / readout) + 0.5) / readout - 0.5);
    }
    for (const int threads : {1, 3}) {
      const auto histogram = cellHistograms(points, layout, 4.0, threads);
      for (std::size_t d = 0; d < 2; ++d) {
        const auto counted = double(histogram[d].back());
        QVERIFY(counted > 1 << 17 && counted < count);
        for (std::size_t cell = 0; cell < histogram[d].size(); ++cell) {
          const double share = double(histogram[d][cell]) / counted, even = double(cell) / 128;
          QVERIFY2(std::abs(share - even) < 0.01, qPrintable(QString("%1: %2").arg(cell).arg(share)));
        }
      }
    }
  }

  void largestFirst() {
    const GridLayout layout = tilesOf(1, {9, 1, 1});
    const std::vector<std::int64_t> counts{3, 1, 9, 1, 5, 1, 7, 1, 8};
    const auto order = [&](unsigned off) {
      const SchedulerChoice choice{Scheduler::graph, off | unsigned(SchedulerPart::copies), 0};
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
};

SPOKELAB_TEST(TestScheduler)

}  // namespace test_scheduler

#include "test_scheduler.moc"
