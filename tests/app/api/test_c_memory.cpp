// The caller's memory: arrays of the engine come from it, all go back, and what it refuses is an
// error.
#include <QtTest>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <vector>

#include "tests/app/api/c_handles.h"
#include "tests/test_main.h"

namespace test_c_memory {

using namespace spokelab::test;

namespace {

struct Arena {
  std::atomic<std::int64_t> calls = 0, bytes = 0, alive = 0, largest = 0;
  std::atomic<std::int64_t> limit = INT64_MAX;  // of one array
  std::atomic<bool> aligned = true;

  static void* allocate(size_t bytes, size_t alignment, void* user) {
    auto& arena = *static_cast<Arena*>(user);
    if (std::int64_t(bytes) > arena.limit) return nullptr;
    void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (reinterpret_cast<std::uintptr_t>(memory) % 64 != 0) arena.aligned = false;
    if (std::int64_t(bytes) > arena.largest) arena.largest = std::int64_t(bytes);
    ++arena.calls;
    ++arena.alive;
    arena.bytes += std::int64_t(bytes);
    return memory;
  }
  static void release(void* memory, size_t bytes, void* user) {
    auto& arena = *static_cast<Arena*>(user);
    --arena.alive;
    arena.bytes -= std::int64_t(bytes);
    std::free(memory);
  }
};

class TestCMemory : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void arraysLieWhereTheCallerSays() {
    Arena arena;
    QCOMPARE(spokelab_set_memory(Arena::allocate, nullptr, &arena), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_set_memory(Arena::allocate, Arena::release, &arena), SPOKELAB_OK);
    {
      const Context context;
      const int64_t size[] = {64, 48};
      spokelab_plan* plan = nullptr;
      QCOMPARE(spokelab_plan_create(context.handle, 2, size, -1, SPOKELAB_SINGLE, 1, nullptr, &plan),
               SPOKELAB_OK);
      const std::int64_t grid = arena.bytes;
      QVERIFY(grid >= 64 * 48 * 8);  // an oversampled one
      const std::vector<double> points{0.1, 0.2, -0.3, 0.4};
      QCOMPARE(spokelab_plan_set_points(plan, 2, points.data()), SPOKELAB_OK);
      std::vector<std::complex<float>> image(64 * 48, 1), samples(2);
      QCOMPARE(spokelab_plan_forward(plan, image.data(), samples.data()), SPOKELAB_OK);
      // While there are arrays it cannot be changed.
      QCOMPARE(spokelab_set_memory(nullptr, nullptr, nullptr), SPOKELAB_FAILED);
      QVERIFY(errorText().contains("before anything else"));

      spokelab_plan* large = nullptr;
      arena.limit = 512 * 512 * 8;  // below the grid, above the blocks of its FFT
      const int64_t many[] = {512, 512};
      QCOMPARE(spokelab_plan_create(context.handle, 2, many, -1, SPOKELAB_SINGLE, 1, nullptr, &large),
               SPOKELAB_FAILED);  // it says what does not fit
      QVERIFY(errorText().contains("memory"));
      QVERIFY(!large);
      QCOMPARE(spokelab_plan_forward(plan, image.data(), samples.data()), SPOKELAB_OK);
      spokelab_plan_destroy(plan);
    }
    QVERIFY(arena.calls > 3 && arena.aligned);
    QCOMPARE(arena.alive, 0);
    QCOMPARE(arena.bytes, 0);
    QCOMPARE(spokelab_set_memory(nullptr, nullptr, nullptr), SPOKELAB_OK);
  }

  void executionsWorkInLentMemory() {
    Arena arena;
    QCOMPARE(spokelab_set_memory(Arena::allocate, Arena::release, &arena), SPOKELAB_OK);
    {
      const Context context;
      const int64_t size[] = {128, 96}, pixels = 128 * 96, count = 500, batch = 3;
      std::vector<double> points(2 * count);
      for (std::size_t i = 0; i < points.size(); ++i) points[i] = 0.5 * std::sin(double(7 * i));
      std::vector<std::complex<float>> image(batch * pixels), values(batch * count);
      for (std::size_t i = 0; i < image.size(); ++i) image[i] = {std::sin(float(i)), std::cos(float(3 * i))};
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = {std::cos(float(i)), std::sin(float(2 * i))};
      for (const Options& options : {Options{{"normal", "gridded"}, {"alpha", "2"}},
                                     Options{{"normal", "gridded"}, {"alpha", "2"}, {"threads", "1"}}}) {
        spokelab_plan* plan = nullptr;
        QCOMPARE(
            spokelab_plan_create(context.handle, 2, size, -1, SPOKELAB_SINGLE, batch, options.handle, &plan),
            SPOKELAB_OK);
        QCOMPARE(spokelab_plan_set_points(plan, count, points.data()), SPOKELAB_OK);
        const auto results = [&] {
          std::vector<std::complex<float>> all(2 * image.size() + values.size());
          spokelab_plan_forward(plan, image.data(), all.data());
          spokelab_plan_adjoint(plan, values.data(), all.data() + values.size());
          spokelab_plan_normal(plan, image.data(), all.data() + values.size() + image.size());
          return all;
        };
        const auto expected = results();
        const std::int64_t needed = spokelab_plan_workspace_bytes(plan), before = arena.bytes;
        QVERIFY(needed > 4 * pixels * 8);  // a grid
        // Not a number, at an odd address.
        std::vector<unsigned char> memory(std::size_t(needed) + 1, 0xFF);
        QCOMPARE(spokelab_plan_set_workspace(plan, memory.data() + 1, needed), SPOKELAB_OK);
        QVERIFY(before - arena.bytes > 4 * pixels * 8);  // the plan's own is free
        arena.largest = 0;
        QVERIFY(results() == expected);
        QVERIFY2(arena.largest < needed / 8, qPrintable(QString::number(arena.largest)));
        std::fill(memory.begin(), memory.end(), 0xFF);  // somebody else used it
        QVERIFY(results() == expected);

        // More points need more room for their samples: nothing is written beyond the end.
        std::vector<double> more(points);
        more.insert(more.end(), points.begin(), points.end());
        QCOMPARE(spokelab_plan_set_points(plan, 2 * count, more.data()), SPOKELAB_OK);
        QVERIFY(spokelab_plan_workspace_bytes(plan) > needed);
        std::vector<std::complex<float>> result(2 * values.size());
        QCOMPARE(spokelab_plan_forward(plan, image.data(), result.data()), SPOKELAB_FAILED);
        QVERIFY(errorText().contains(QString::number(needed)));
        QCOMPARE(spokelab_plan_set_workspace(plan, memory.data(), needed), SPOKELAB_FAILED);
        QCOMPARE(spokelab_plan_set_workspace(plan, nullptr, 0), SPOKELAB_OK);
        QCOMPARE(spokelab_plan_set_points(plan, count, points.data()), SPOKELAB_OK);
        QVERIFY(results() == expected);
        spokelab_plan_destroy(plan);
      }
      spokelab_plan* sets = nullptr;
      QCOMPARE(spokelab_plan_create_sets(context.handle, 2, size, -1, SPOKELAB_SINGLE, 1, 2, nullptr, &sets),
               SPOKELAB_OK);
      QCOMPARE(spokelab_plan_workspace_bytes(sets), 0);
      char byte = 0;
      QCOMPARE(spokelab_plan_set_workspace(sets, &byte, 1), SPOKELAB_FAILED);
      QVERIFY(errorText().contains("takes none"));
      spokelab_plan_destroy(sets);
    }
    QCOMPARE(arena.bytes, 0);
    QCOMPARE(spokelab_set_memory(nullptr, nullptr, nullptr), SPOKELAB_OK);
  }

  void aScanLiesThere() {
    Arena arena;
    QCOMPARE(spokelab_set_memory(Arena::allocate, Arena::release, &arena), SPOKELAB_OK);
    const int64_t size[] = {16, 16}, offsets[] = {0, 100};
    std::vector<double> points(200, 0.5);
    std::vector<std::complex<float>> values(200, 1);
    spokelab_scan* scan = nullptr;
    QCOMPARE(spokelab_scan_create(2, size, nullptr, 2, 1, offsets, points.data(), nullptr, SPOKELAB_SINGLE,
                                  values.data(), &scan),
             SPOKELAB_OK);
    QVERIFY(arena.bytes >= 200 * 8);
    spokelab_scan_destroy(scan);
    QCOMPARE(arena.bytes, 0);
    arena.limit = 100;
    QCOMPARE(spokelab_scan_create(2, size, nullptr, 2, 1, offsets, points.data(), nullptr, SPOKELAB_SINGLE,
                                  values.data(), &scan),
             SPOKELAB_NO_MEMORY);
    QCOMPARE(spokelab_set_memory(nullptr, nullptr, nullptr), SPOKELAB_OK);
  }
};

}  // namespace

SPOKELAB_TEST(TestCMemory)

}  // namespace test_c_memory

#include "test_c_memory.moc"
