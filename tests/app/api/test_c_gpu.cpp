// The C interface on a GPU: what it gives is what the CPU gives, at the accuracy asked; calls with the
// caller's stream wait for nothing; what is wrong is said, and the plan lives on.
#include <QtTest>

#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <random>
#include <thread>

#include "tests/app/api/c_handles.h"
#include "tests/app/api/gpu_driver.h"
#include "tests/engine/nufft/random_problem.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t count = 700;
constexpr std::array<std::int64_t, 3> size{22, 19, 16};
constexpr double singleAccuracy = 1e-4, doubleAccuracy = 1e-9;

std::int64_t pixelsOf(int dims) {
  std::int64_t pixels = 1;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) pixels *= size[d];
  return pixels;
}

template <class Complex>
std::vector<Complex> randomValues(std::int64_t n, unsigned seed) {
  std::mt19937 random(seed);
  const std::vector<cdouble> values = normalData(random, n);
  return {values.begin(), values.end()};
}

std::vector<double> randomPoints(int dims, double scale = 1) {
  std::mt19937 random(8);
  std::vector<double> points = uniformPoints(random, count, dims);
  for (double& k : points) k *= scale;
  return points;
}

template <class Complex>
constexpr bool isDouble = sizeof(Complex) == sizeof(cdouble);
template <class Complex>
constexpr spokelab_precision precisionOf = isDouble<Complex> ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE;
template <class Complex>
constexpr double accuracyOf = isDouble<Complex> ? doubleAccuracy : singleAccuracy;
template <class Complex>
constexpr const char* accuracyText = isDouble<Complex> ? "1e-9" : "1e-4";

void ok(spokelab_status status) {
  if (status != SPOKELAB_OK) qFatal("%s", spokelab_error_text());
}

// A handle that ends with its scope.
template <class T, void (*destroy)(T*)>
struct Owner {
  T* handle = nullptr;
  Owner() = default;
  ~Owner() { destroy(handle); }
  Owner(const Owner&) = delete;
  Owner& operator=(const Owner&) = delete;
};
using Plan = Owner<spokelab_plan, spokelab_plan_destroy>;
using Type3 = Owner<spokelab_type3, spokelab_type3_destroy>;
using Gdft = Owner<spokelab_transform, spokelab_gdft_destroy>;
using Sense = Owner<spokelab_sense, spokelab_sense_destroy>;

template <class Complex>
void makePlan(Plan& plan, const Context& context, const char* backend, int dims, std::int64_t batch,
              const char* normal = "gridded") {
  const Options options{{"accuracy", accuracyText<Complex>}, {"backend", backend}, {"normal", normal}};
  ok(spokelab_plan_create(context.handle, dims, size.data(), -1, precisionOf<Complex>, batch, options.handle,
                          &plan.handle));
  ok(spokelab_plan_set_points(plan.handle, count, randomPoints(dims).data()));
  std::vector<double> weights;
  for (std::int64_t j = 0; j < count; ++j) weights.push_back(0.5 + double(j) / double(count));
  ok(spokelab_plan_set_weights(plan.handle, count, weights.data()));
}

// Both plans are as accurate as was asked for.
template <class Complex>
void comparePlans(int dims, const char* normal) {
  constexpr std::int64_t batch = 3;
  const Context context;
  Plan cpu, gpu;
  makePlan<Complex>(cpu, context, "cpu", dims, batch, normal);
  makePlan<Complex>(gpu, context, "cuda", dims, batch, normal);
  QVERIFY(std::string(spokelab_plan_text(gpu.handle)).starts_with("cuda"));
  QVERIFY(spokelab_plan_error(gpu.handle) > 0 && spokelab_plan_error(gpu.handle) <= accuracyOf<Complex>);
  const auto image = randomValues<Complex>(batch * pixelsOf(dims), 2),
             samples = randomValues<Complex>(batch * count, 3);
  std::vector<Complex> forward(samples.size()), adjoint(image.size()), both(image.size());
  ok(spokelab_plan_forward(cpu.handle, image.data(), forward.data()));
  ok(spokelab_plan_adjoint(cpu.handle, samples.data(), adjoint.data()));
  ok(spokelab_plan_normal(cpu.handle, image.data(), both.data()));
  const double tolerance = 2 * accuracyOf<Complex>;

  std::vector<Complex> found(samples.size()), back(image.size()), twice(image);
  ok(spokelab_plan_forward(gpu.handle, image.data(), found.data()));
  ok(spokelab_plan_adjoint(gpu.handle, samples.data(), back.data()));
  ok(spokelab_plan_normal(gpu.handle, twice.data(), twice.data()));
  QVERIFY(relativeDifference(found, forward) < tolerance);
  QVERIFY(relativeDifference(back, adjoint) < tolerance);
  QVERIFY(relativeDifference(twice, both) < 2 * tolerance);

  const DriverStream stream;
  for (DriverHandle callers : {DriverHandle(nullptr), stream.get()}) {
    const OnDevice<Complex> in(image), out(forward.size()), values(samples), pixels(image.size()),
        inPlace(image);
    ok(spokelab_plan_forward_on(gpu.handle, in.get(), out.get(), callers));
    ok(spokelab_plan_adjoint_on(gpu.handle, values.get(), pixels.get(), callers));
    ok(spokelab_plan_normal_on(gpu.handle, inPlace.get(), inPlace.get(), callers));
    stream.synchronize();
    // Calls of one plan are in order, and this one waits.
    ok(spokelab_plan_forward(gpu.handle, image.data(), found.data()));
    QVERIFY(relativeDifference(out.read(), forward) < tolerance);
    QVERIFY(relativeDifference(pixels.read(), adjoint) < tolerance);
    QVERIFY(relativeDifference(inPlace.read(), both) < 2 * tolerance);
  }
}

template <class Complex>
void compareType3(int dims) {
  constexpr std::int64_t batch = 2;
  const std::vector<double> sources = randomPoints(dims, 3), targets = randomPoints(dims, dims == 3 ? 4 : 9);
  const Context context;
  Type3 cpu, gpu;
  for (auto& [transform, backend] : {std::pair<Type3&, const char*>(cpu, "cpu"), {gpu, "cuda"}}) {
    const Options options{{"accuracy", accuracyText<Complex>}, {"backend", backend}};
    ok(spokelab_type3_create(context.handle, dims, 1, precisionOf<Complex>, batch, options.handle,
                             &transform.handle));
    ok(spokelab_type3_set_points(transform.handle, count, sources.data(), count, targets.data()));
  }
  QVERIFY(QString::fromUtf8(spokelab_type3_text(gpu.handle)).contains(QLatin1String("cuda")));
  const auto values = randomValues<Complex>(batch * count, 5);
  std::vector<Complex> forward(values.size()), adjoint(values), found(values), back(values);
  ok(spokelab_type3_forward(cpu.handle, values.data(), forward.data()));
  ok(spokelab_type3_adjoint(cpu.handle, values.data(), adjoint.data()));
  ok(spokelab_type3_forward(gpu.handle, values.data(), found.data()));
  ok(spokelab_type3_adjoint(gpu.handle, values.data(), back.data()));
  const double tolerance = 2 * accuracyOf<Complex>;
  QVERIFY(relativeDifference(found, forward) < tolerance);
  QVERIFY(relativeDifference(back, adjoint) < tolerance);
  const DriverStream stream;
  const OnDevice<Complex> in(values), out(values.size()), pixels(values.size());
  ok(spokelab_type3_forward_on(gpu.handle, in.get(), out.get(), stream.get()));
  ok(spokelab_type3_adjoint_on(gpu.handle, in.get(), pixels.get(), stream.get()));
  stream.synchronize();
  QVERIFY(relativeDifference(out.read(), forward) < tolerance);
  QVERIFY(relativeDifference(pixels.read(), adjoint) < tolerance);
  QCOMPARE(spokelab_type3_forward_on(cpu.handle, in.get(), out.get(), nullptr), SPOKELAB_BAD_ARGUMENT);
}

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

// The call returns while its stream stands still, and its work is done once the stream moves.
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

class TestCGpu : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void plansGiveWhatTheCpuGives_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<QByteArray>("normal");
    for (int dims = 1; dims <= 3; ++dims)
      for (const char* normal : {"gridded", "toeplitz"})
        QTest::addRow("%d-D, %s", dims, normal) << dims << QByteArray(normal);
  }
  void plansGiveWhatTheCpuGives() {
    NEEDS_C_GPU();
    QFETCH(int, dims);
    QFETCH(QByteArray, normal);
    comparePlans<cfloat>(dims, normal.constData());
    comparePlans<cdouble>(dims, normal.constData());
  }

  void tunedPlansDoToo() {
    NEEDS_C_GPU();
    const Context context;
    Plan cpu, tuned;
    makePlan<cfloat>(cpu, context, "cpu", 2, 1);
    const Options options{{"accuracy", "1e-4"}, {"backend", "cuda"}, {"time-limit", "2"}};
    const std::vector<double> points = randomPoints(2);
    ok(spokelab_plan_tune(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle, count,
                          points.data(), nullptr, nullptr, &tuned.handle));
    QVERIFY(std::string(spokelab_plan_text(tuned.handle)).starts_with("cuda"));
    const auto image = randomValues<cfloat>(pixelsOf(2), 2);
    std::vector<cfloat> wanted(count), found(count);
    ok(spokelab_plan_forward(cpu.handle, image.data(), wanted.data()));
    const OnDevice<cfloat> in(image), out(count);
    const DriverStream stream;
    ok(spokelab_plan_forward_on(tuned.handle, in.get(), out.get(), stream.get()));
    stream.synchronize();
    QVERIFY(relativeDifference(out.read(), wanted) < 2 * singleAccuracy);
  }

  void type3GivesWhatTheCpuGives() {
    NEEDS_C_GPU();
    for (int dims = 1; dims <= 3; ++dims) {
      compareType3<cfloat>(dims);
      compareType3<cdouble>(dims);
    }
  }

  void exactTransformsGiveWhatTheCpuGives() {
    NEEDS_C_GPU();
    const Context context;
    std::vector<double> points = randomPoints(2), times, field;
    for (std::int64_t j = 0; j < count; ++j) {
      points[std::size_t(2 * j)] *= double(size[0]);
      points[std::size_t(2 * j + 1)] *= double(size[1]);
      times.push_back(5e-3 * double(j) / double(count));
    }
    for (const cdouble& v : randomValues<cdouble>(pixelsOf(2), 4)) field.push_back(300 * v.real());
    const auto image = randomValues<cdouble>(pixelsOf(2), 2), samples = randomValues<cdouble>(count, 3);
    std::array<std::vector<cdouble>, 2> forward, adjoint;
    for (std::size_t i = 0; i < 2; ++i) {
      const Options options{{"backend", i ? "cuda" : "cpu"}};
      Gdft t;
      ok(spokelab_gdft_create(context.handle, 2, size.data(), SPOKELAB_DOUBLE, count, points.data(),
                              times.data(), field.data(), nullptr, nullptr, options.handle, &t.handle));
      forward[i].resize(count);
      adjoint[i].resize(image.size());
      ok(spokelab_gdft_forward(t.handle, image.data(), forward[i].data()));
      ok(spokelab_gdft_adjoint(t.handle, samples.data(), adjoint[i].data()));
    }
    constexpr double rounding = 1e-11;  // of the phases of double sums
    QVERIFY(relativeDifference(forward[1], forward[0]) < rounding);
    QVERIFY(relativeDifference(adjoint[1], adjoint[0]) < rounding);
  }

  void senseGivesWhatTheCpuGives() {
    NEEDS_C_GPU();
    constexpr std::int64_t coils = 2, samples = 1400;
    const Context context;
    std::mt19937 random(3);
    std::vector<double> points = uniformPoints(random, samples, 2);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] *= double(size[i % 2]);
    const std::int64_t pixels = pixelsOf(2);
    std::vector<cfloat> maps;
    for (std::int64_t n = 0; n < coils * pixels; ++n)
      maps.push_back(std::polar(1.0F + 0.2F * float(n / pixels), 0.05F * float(n % size[0])));
    const auto values = randomValues<cfloat>(coils * samples, 6);
    for (const bool dbl : {false, true}) {
      std::array<std::vector<cdouble>, 2> found;
      for (std::size_t i = 0; i < 2; ++i) {
        const Options options{{"backend", i ? "cuda" : "cpu"},
                              {"iterations", "8"},
                              {"tolerance", "0"},
                              {"lambda", "1e-2"},
                              {"accuracy", "1e-5"}};
        Sense sense;
        ok(spokelab_sense_create(context.handle, 2, size.data(), dbl ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE,
                                 int(coils), reinterpret_cast<const float*>(maps.data()), samples,
                                 points.data(), options.handle, &sense.handle));
        if (dbl) {
          const std::vector<cdouble> given(values.begin(), values.end());
          found[i].resize(std::size_t(pixels));
          ok(spokelab_sense_solve(sense.handle, given.data(), nullptr, nullptr, nullptr, found[i].data()));
        } else {
          std::vector<cfloat> image(static_cast<std::size_t>(pixels));
          ok(spokelab_sense_solve(sense.handle, values.data(), nullptr, nullptr, nullptr, image.data()));
          found[i].assign(image.begin(), image.end());
        }
        QCOMPARE(spokelab_sense_iterations(sense.handle), 8);
      }
      constexpr double tolerance = 1e-3;  // eight normals amplify the accuracy of one
      QVERIFY2(relativeDifference(found[1], found[0]) < tolerance,
               qPrintable(QString::number(relativeDifference(found[1], found[0]))));
    }
  }

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

  // What the CUDA module keeps on the host lies there, too.
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

  // Of each refusal the reason is told, and the plan works afterwards.
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

SPOKELAB_TEST(TestCGpu)
#include "test_c_gpu.moc"
