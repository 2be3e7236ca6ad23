// 32 threads at once through the C interface, each with a plan or all with one: every thread gets
// its results as if alone, and its errors. The thread sanitizer watches this file (preset tsan).
#include <QtTest>

#include <algorithm>
#include <chrono>
#include <latch>
#include <thread>

#include "engine/scan/simulate/random_numbers.h"
#include "tests/app/api/c_handles.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int threads = 32;

struct Results {
  std::vector<cdouble> samples, image, targets;
  int failures = 0;
};

std::vector<double> randomPoints(std::int64_t count, std::uint64_t seed) {
  std::vector<double> points;
  for (std::uint64_t i = 0; i < std::uint64_t(count); ++i) points.push_back(uniformNumber(seed, i) - 0.5);
  return points;
}

template <class Complex>
std::vector<Complex> randomValues(std::int64_t count, std::uint64_t seed) {
  std::vector<Complex> values;
  for (std::uint64_t i = 0; i < std::uint64_t(count); ++i) values.push_back(Complex(complexNormal(seed, i)));
  return values;
}

// Points are set twice, as for the frames of a scan.
template <class Complex>
void runPlan(spokelab_context* context, int thread, Results& results) {
  const int dims = 1 + thread % 3;
  const std::array<std::int64_t, 3> size{12 + thread % 5, 11, 6};
  const std::int64_t count = 200 + thread, pixels = size[0] * (dims > 1 ? 11 : 1) * (dims > 2 ? 6 : 1);
  const bool isDouble = sizeof(Complex) == sizeof(cdouble);
  const auto image = randomValues<Complex>(pixels, 50 + std::uint64_t(thread));
  std::vector<Complex> samples(static_cast<std::size_t>(count)), back(image.size());
  spokelab_plan* plan = nullptr;
  const auto expect = [&](spokelab_status status) { results.failures += status != SPOKELAB_OK; };
  expect(spokelab_plan_create(context, dims, size.data(), thread % 2 ? 1 : -1,
                              isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE, 1, nullptr, &plan));
  for (std::uint64_t frame = 0; frame < 2; ++frame) {
    const std::vector<double> points = randomPoints(count * dims, 100 * frame + std::uint64_t(thread));
    expect(spokelab_plan_set_points(plan, count, points.data()));
    expect(spokelab_plan_forward(plan, image.data(), samples.data()));
    expect(spokelab_plan_adjoint(plan, samples.data(), back.data()));
    expect(spokelab_plan_normal(plan, back.data(), back.data()));
  }
  spokelab_plan_destroy(plan);
  results.samples.assign(samples.begin(), samples.end());
  results.image.assign(back.begin(), back.end());
}

void runType3(spokelab_context* context, int thread, Results& results) {
  const std::int64_t sources = 90 + thread, targets = 120;
  const auto values = randomValues<cdouble>(sources, std::uint64_t(thread));
  const std::vector<double> x = randomPoints(2 * sources, 7),
                            s = randomPoints(2 * targets, 300 + std::uint64_t(thread));
  results.targets.resize(std::size_t(targets));
  spokelab_type3* type3 = nullptr;
  const auto expect = [&](spokelab_status status) { results.failures += status != SPOKELAB_OK; };
  expect(spokelab_type3_create(context, 2, -1, SPOKELAB_DOUBLE, 1, nullptr, &type3));
  expect(spokelab_type3_set_points(type3, sources, x.data(), targets, s.data()));
  expect(spokelab_type3_forward(type3, values.data(), results.targets.data()));
  spokelab_type3_destroy(type3);
}

Results run(spokelab_context* context, int thread) {
  Results results;
  if (thread % 4 < 2)
    runPlan<cfloat>(context, thread, results);
  else
    runPlan<cdouble>(context, thread, results);
  runType3(context, thread, results);
  return results;
}

}  // namespace

class TestCThreads : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void threadsHaveTheirOwnPlans() {
    const Context context;
    std::vector<Results> alone, together(threads);
    for (int i = 0; i < threads; ++i) alone.push_back(run(context.handle, i));
    {
      std::latch start(threads);
      std::vector<std::jthread> all;
      for (int i = 0; i < threads; ++i)
        all.emplace_back([&, i] {
          start.arrive_and_wait();
          together[std::size_t(i)] = run(context.handle, i);
        });
    }
    for (std::size_t i = 0; i < threads; ++i) {
      const double rounding = i % 4 < 2 ? 1e-5 : 1e-12;
      QCOMPARE(alone[i].failures, 0);
      QCOMPARE(together[i].failures, 0);
      QVERIFY(relativeDifference(together[i].samples, alone[i].samples) < rounding);
      QVERIFY(relativeDifference(together[i].image, alone[i].image) < rounding);
      QVERIFY(relativeDifference(together[i].targets, alone[i].targets) < 1e-12);
    }
  }

  // One plan, one transform of type 3 and one SENSE, used by 16 threads at once: calls wait, or say
  // that it is in use.
  void oneHandleIsUsedByManyThreads() {
    constexpr std::int64_t size[] = {24, 20}, pixels = 480, count = 700;
    constexpr std::size_t users = 16, rounds = 12;
    const Context context;
    const std::vector<double> points = randomPoints(2 * count, 5);
    spokelab_plan* plan = nullptr;
    spokelab_type3* type3 = nullptr;
    spokelab_sense* sense = nullptr;
    const std::vector<cfloat> maps(static_cast<std::size_t>(pixels), 1.0F);
    QCOMPARE(spokelab_plan_create(context.handle, 2, size, -1, SPOKELAB_DOUBLE, 1, nullptr, &plan),
             SPOKELAB_OK);
    QCOMPARE(spokelab_plan_set_points(plan, count, points.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_type3_create(context.handle, 2, -1, SPOKELAB_DOUBLE, 1, nullptr, &type3), SPOKELAB_OK);
    QCOMPARE(spokelab_type3_set_points(type3, count, points.data(), count, points.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_sense_create(context.handle, 2, size, SPOKELAB_DOUBLE, 1,
                                   reinterpret_cast<const float*>(maps.data()), count, points.data(), nullptr,
                                   &sense),
             SPOKELAB_OK);
    struct Own {
      std::vector<cdouble> image, values, samples, back, targets, solved;
      int failures = 0, busy = 0;
    };
    std::vector<Own> alone(users), together(users);
    const auto use = [&](Own& own, std::size_t user) {
      own.image = randomValues<cdouble>(pixels, user);
      own.values = randomValues<cdouble>(count, 40 + user);
      own.samples.resize(std::size_t(count));
      own.targets.resize(std::size_t(count));
      own.back.resize(std::size_t(pixels));
      std::vector<cdouble> solved(static_cast<std::size_t>(pixels));
      own.failures += spokelab_plan_forward(plan, own.image.data(), own.samples.data()) != SPOKELAB_OK;
      own.failures += spokelab_plan_normal(plan, own.image.data(), own.back.data()) != SPOKELAB_OK;
      own.failures += spokelab_type3_forward(type3, own.values.data(), own.targets.data()) != SPOKELAB_OK;
      own.failures += !(spokelab_plan_error(plan) > 0) || !spokelab_plan_text(plan);
      const spokelab_status status =
          spokelab_sense_solve(sense, own.values.data(), nullptr, nullptr, nullptr, solved.data());
      if (status == SPOKELAB_OK) {
        own.solved = std::move(solved);
      } else {
        ++own.busy;
        own.failures += status != SPOKELAB_FAILED || !errorText().contains("in use");
      }
    };
    for (std::size_t i = 0; i < users; ++i) use(alone[i], i);
    for (std::size_t round = 0; round < rounds; ++round) {
      std::latch start(users);
      std::vector<std::jthread> all;
      for (std::size_t i = 0; i < users; ++i)
        all.emplace_back([&, i] {
          start.arrive_and_wait();
          use(together[i], i);
        });
      all.clear();
      for (std::size_t i = 0; i < users; ++i) {
        QCOMPARE(alone[i].failures + alone[i].busy, 0);
        QCOMPARE(together[i].failures, 0);
        QVERIFY(relativeDifference(together[i].samples, alone[i].samples) < 1e-12);
        QVERIFY(relativeDifference(together[i].back, alone[i].back) < 1e-12);
        QVERIFY(relativeDifference(together[i].targets, alone[i].targets) < 1e-12);
        if (!together[i].solved.empty())
          QVERIFY(relativeDifference(together[i].solved, alone[i].solved) < 1e-9);
      }
    }
    spokelab_sense_destroy(sense);
    spokelab_type3_destroy(type3);
    spokelab_plan_destroy(plan);
  }

  // The lock of a call that nobody else makes: nanoseconds.
  void theLockIsCheap() {
    const Context context;
    constexpr std::int64_t size[] = {8};
    spokelab_plan* plan = nullptr;
    QCOMPARE(spokelab_plan_create(context.handle, 1, size, -1, SPOKELAB_SINGLE, 1, nullptr, &plan),
             SPOKELAB_OK);
    constexpr int calls = 100'000;
    const auto secondsOf = [&](auto call) {
      double best = 1;
      for (int repeat = 0; repeat < 7; ++repeat) {
        const auto begin = std::chrono::steady_clock::now();
        std::int64_t sum = 0;
        for (int i = 0; i < calls; ++i) sum += call(plan);
        if (sum < 0) return 1.0;
        best = std::min(
            best, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / calls);
      }
      return best;
    };
    // The number of pixels never changes and is read without the lock; both calls only read a
    // number.
    const double locked = secondsOf(spokelab_plan_points), free = secondsOf(spokelab_plan_pixels);
    qInfo("a locked call takes %.1f ns, one without the lock %.1f ns", locked * 1e9, free * 1e9);
    QVERIFY(locked < 1e-6);
    spokelab_plan_destroy(plan);
  }

  void threadsHaveTheirOwnErrorsAndContexts() {
    std::vector<std::string> texts(threads);
    std::vector<int> failures(threads, 0);
    {
      std::latch start(threads);
      std::vector<std::jthread> all;
      for (std::size_t i = 0; i < threads; ++i)
        all.emplace_back([&, i] {
          start.arrive_and_wait();
          failures[i] += *spokelab_error_text() != 0;
          spokelab_context* context = nullptr;
          spokelab_options* options = nullptr;
          failures[i] += spokelab_context_create(nullptr, &context) != SPOKELAB_OK;
          failures[i] += spokelab_options_create(&options) != SPOKELAB_OK;
          const std::string name = "option-" + std::to_string(i);
          if (i % 2) failures[i] += spokelab_options_set(options, name.c_str(), "1") != SPOKELAB_FAILED;
          failures[i] += spokelab_options_set(options, "accuracy", "1e-4") != SPOKELAB_OK;
          texts[i] = spokelab_error_text();
          spokelab_options_destroy(options);
          spokelab_context_destroy(context);
        });
    }
    for (std::size_t i = 0; i < threads; ++i) {
      QCOMPARE(failures[i], 0);
      QCOMPARE(texts[i].find("option-" + std::to_string(i)) != std::string::npos, i % 2 == 1);
      QCOMPARE(texts[i].empty(), i % 2 == 0);
    }
  }
};

SPOKELAB_TEST(TestCThreads)
#include "test_c_threads.moc"
