// Calls of the C interface on a GPU: with the caller's stream they do not wait; the module's host
// arrays are in the caller's memory; a wrong call gives a reason, and the plan remains usable.
#include <QtTest>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <limits>
#include <thread>

#include "tests/app/api/gpu_plans.h"
#include "tests/test_main.h"

namespace test_c_gpu_calls {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Holds a stream up until it is let go, or for so long that the test has failed.
struct Gate {
  std::atomic<bool> open = false, timedOut = false;

  static void wait(void* user) {
    auto& gate = *static_cast<Gate*>(user);
    constexpr auto longest = std::chrono::seconds(20);
    const auto start = std::chrono::steady_clock::now();
    while (!gate.open) {
      if (std::chrono::steady_clock::now() - start > longest) {
        gate.timedOut = true;
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  }
};

// The call returns while its stream is held, and its work is done once the stream runs.
template <class Call>
void requireNoWait(const Call& call) {
  const Driver& driver = Driver::get();
  const DriverStream stream;
  constexpr unsigned withoutTimes = 2;
  DriverHandle event = nullptr;
  require(driver.createEvent(&event, withoutTimes), "cuEventCreate");
  ok(call(stream.get()));  // what is allocated once is allocated
  stream.synchronize();
  Gate gate;
  require(driver.launchHostFunction(stream.get(), Gate::wait, &gate), "cuLaunchHostFunc");
  const spokelab_status status = call(stream.get());
  require(driver.recordEvent(event, stream.get()), "cuEventRecord");
  const int whileHeld = driver.queryEvent(event);
  const bool timedOut = gate.timedOut;
  gate.open = true;
  stream.synchronize();
  const int afterwards = driver.queryEvent(event);
  driver.destroyEvent(event);
  QCOMPARE(status, SPOKELAB_OK);
  QVERIFY2(!timedOut, "the call waited for the stream");
  QCOMPARE(whileHeld, Driver::notReady);
  QCOMPARE(afterwards, Driver::success);
}

struct Arena {
  std::atomic<std::int64_t> calls = 0, alive = 0;

  static void* allocate(size_t bytes, size_t alignment, void* user) {
    auto& arena = *static_cast<Arena*>(user);
    ++arena.calls;
    ++arena.alive;
    return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  }
  static void release(void* memory, size_t, void* user) {
    --static_cast<Arena*>(user)->alive;
    std::free(memory);
  }
};

}  // namespace

class TestCGpuCalls : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void callsReturnBeforeTheWork() {
    NEEDS_C_GPU();
    const Context context;
    for (const char* normal : {"gridded", "toeplitz"}) {
      Plan plan;
      makePlan<cfloat>(plan, context, "cuda", 2, 2, normal);
      const OnDevice<cfloat> image(randomValues<cfloat>(2 * pixelsOf(2), 2)),
          samples(randomValues<cfloat>(2 * count, 3));
      requireNoWait([&](void* stream) {
        return spokelab_plan_forward_on(plan.handle, image.get(), samples.get(), stream);
      });
      requireNoWait([&](void* stream) {
        return spokelab_plan_adjoint_on(plan.handle, samples.get(), image.get(), stream);
      });
      requireNoWait([&](void* stream) {
        return spokelab_plan_normal_on(plan.handle, image.get(), image.get(), stream);
      });
    }
    Type3 type3;
    const Options options{{"backend", "cuda"}};
    ok(spokelab_type3_create(context.handle, 2, 1, SPOKELAB_SINGLE, 1, options.handle, &type3.handle));
    ok(spokelab_type3_set_points(type3.handle, count, randomPoints(2, 3).data(), count,
                                 randomPoints(2, 9).data()));
    const OnDevice<cfloat> in(randomValues<cfloat>(count, 2)), out(std::size_t{count});
    requireNoWait(
        [&](void* stream) { return spokelab_type3_forward_on(type3.handle, in.get(), out.get(), stream); });
    requireNoWait(
        [&](void* stream) { return spokelab_type3_adjoint_on(type3.handle, in.get(), out.get(), stream); });
  }

  // The CUDA module's host arrays are there, too.
  void arraysOfTheModuleLieWhereTheCallerSays() {
    NEEDS_C_GPU();
    Arena arena;
    ok(spokelab_set_memory(Arena::allocate, Arena::release, &arena));
    {
      const Context context;
      const Options options{{"backend", "cuda"}};
      Type3 type3;
      ok(spokelab_type3_create(context.handle, 2, 1, SPOKELAB_DOUBLE, 1, options.handle, &type3.handle));
      const std::int64_t before = arena.calls;
      ok(spokelab_type3_set_points(type3.handle, count, randomPoints(2, 3).data(), count,
                                   randomPoints(2, 9).data()));
      QVERIFY(arena.calls > before);
    }
    QCOMPARE(arena.alive, 0);
    ok(spokelab_set_memory(nullptr, nullptr, nullptr));
  }

  // Each refusal gives its reason, and the plan works afterwards.
  void whatIsWrongIsSaid() {
    NEEDS_C_GPU();
    const Context context;
    Plan plan;
    makePlan<cfloat>(plan, context, "cuda", 2, 1);
    auto image = randomValues<cfloat>(pixelsOf(2), 2);
    std::vector<cfloat> wanted(count), found(count);
    ok(spokelab_plan_forward(plan.handle, image.data(), wanted.data()));
    const OnDevice<cfloat> in(image), out(std::size_t{count});
    const auto stillWorks = [&] {
      return spokelab_plan_forward(plan.handle, image.data(), found.data()) == SPOKELAB_OK &&
             relativeDifference(found, wanted) < singleAccuracy;
    };

    // Host memory is not the device's.
    QCOMPARE(spokelab_plan_forward_on(plan.handle, image.data(), out.get(), nullptr), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("memory of a GPU")), qPrintable(errorText()));
    QCOMPARE(spokelab_plan_forward_on(plan.handle, in.get(), found.data(), nullptr), SPOKELAB_FAILED);
    QVERIFY2(stillWorks(), qPrintable(errorText()));
    QCOMPARE(spokelab_plan_forward_on(plan.handle, nullptr, out.get(), nullptr), SPOKELAB_BAD_ARGUMENT);

    const cfloat one = image[0];
    image[0] = std::numeric_limits<float>::quiet_NaN();
    QCOMPARE(spokelab_plan_forward(plan.handle, image.data(), found.data()), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("finite")), qPrintable(errorText()));
    image[0] = one;
    QVERIFY2(stillWorks(), qPrintable(errorText()));

    // A stream of another context than the device's primary one.
    const Driver& driver = Driver::get();
    DriverHandle other = nullptr, stream = nullptr;
    require(driver.createContext(&other, 0, 0), "cuCtxCreate");
    require(driver.createStream(&stream, 1), "cuStreamCreate");
    require(driver.setCurrent(driver.primary), "cuCtxSetCurrent");
    QCOMPARE(spokelab_plan_forward_on(plan.handle, in.get(), out.get(), stream), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("GPU")), qPrintable(errorText()));
    qInfo("another context's stream: %s", qPrintable(errorText()));
    require(driver.destroyContext(other), "cuCtxDestroy");
    require(driver.setCurrent(driver.primary), "cuCtxSetCurrent");
    QVERIFY2(stillWorks(), qPrintable(errorText()));
  }
};

SPOKELAB_TEST(TestCGpuCalls)

}  // namespace test_c_gpu_calls

#include "test_c_gpu_calls.moc"
