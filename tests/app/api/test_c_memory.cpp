// The caller's memory: arrays of the engine come from it, all go back, and what it refuses is an
// error.
#include <QtTest>

#include <atomic>
#include <complex>
#include <cstdlib>
#include <vector>

#include "tests/app/api/c_handles.h"
#include "tests/test_main.h"

namespace test_c_memory {

using namespace spokelab::test;

namespace {

struct Arena {
  std::atomic<std::int64_t> calls = 0, bytes = 0, alive = 0;
  std::atomic<std::int64_t> limit = INT64_MAX;  // of one array
  std::atomic<bool> aligned = true;

  static void* allocate(size_t bytes, size_t alignment, void* user) {
    auto& arena = *static_cast<Arena*>(user);
    if (std::int64_t(bytes) > arena.limit) return nullptr;
    void* const memory = std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
    if (reinterpret_cast<std::uintptr_t>(memory) % 64 != 0) arena.aligned = false;
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
