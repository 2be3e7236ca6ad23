// Points that a plan refuses, or for which memory ends: afterwards it transforms the points before,
// or it has none.
#include <QtTest>

#include <atomic>
#include <cstdlib>

#include "engine/core/error.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_failed_points {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The memory of Buffers, which refuses one request: the first one after `permitted` others. A
// negative number refuses none.
std::atomic<int> permitted = -1;

void* allocate(std::size_t bytes, std::size_t alignment, void*) {
  if (permitted >= 0 && permitted-- == 0) return nullptr;
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}

void release(void* memory, std::size_t, void*) {
  std::free(memory);
}

constexpr std::int64_t batch = 4, few = 200;

struct Case {
  NufftProblem problem;
  NufftOptions options;
  std::int64_t many;

  std::unique_ptr<Nufft<double>> plan() const { return makePlan<double>(problem, options); }
  std::vector<double> points(std::int64_t count, unsigned seed) const {
    return randomPoints(problem.dims, count, seed);
  }
};

// Few points are transformed with four images in a cell. `many` points leave memory for one.
Case interleavedCase(const NufftOptions& asked) {
  Case c{{}, asked, 20000};
  c.problem.size = {24, 20, 1};
  c.problem.batch = batch;
  c.options.threads = 2;
  c.problem.precision = Precision::double64;
  c.options.memoryLimit = estimateCpuMemory(c.problem, c.options, c.many) - 1;
  return c;
}

std::vector<cdouble> samplesOf(Nufft<double>& plan) {
  const auto image = randomData<double>(batch * plan.problem().pixels(), 2);
  std::vector<cdouble> samples(std::size_t(batch * plan.points()));
  plan.forward(image.data(), samples.data());
  return samples;
}

std::vector<cdouble> imageOf(Nufft<double>& plan) {
  const auto samples = randomData<double>(batch * plan.points(), 3);
  std::vector<cdouble> image(std::size_t(batch * plan.problem().pixels()));
  plan.adjoint(samples.data(), image.data());
  return image;
}

}  // namespace

class FailedPointsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { QVERIFY(setBufferMemory({allocate, release, nullptr})); }
  void cleanup() { permitted = -1; }
  void cleanupTestCase() { QVERIFY(setBufferMemory({})); }

  // The grid of the refused points has another size.
  void refusedPointsLeaveThoseBefore() {
    const Case c = interleavedCase(withAccuracy(1e-6));
    for (const bool manyFirst : {false, true}) {
      const auto plan = c.plan();
      plan->setPoints(c.points(manyFirst ? c.many : few, 4));
      const int images = plan->info().options.interleave;
      QCOMPARE(images > 1, !manyFirst);
      const auto samples = samplesOf(*plan), image = imageOf(*plan);
      std::vector<double> bad = c.points(manyFirst ? few : c.many, 5);
      bad[77] = std::nan("");
      QVERIFY_THROWS_EXCEPTION(Error, plan->setPoints(bad));
      QCOMPARE(plan->info().options.interleave, images);
      QCOMPARE(samplesOf(*plan), samples);
      QCOMPARE(imageOf(*plan), image);
    }
  }

  // Each request for memory that setting points makes is refused in turn.
  void memoryThatEndsLeavesThemOrNone_data() {
    QTest::addColumn<int>("method");
    QTest::addColumn<bool>("slabs");
    QTest::newRow("tiles") << int(Method::blocked) << false;
    QTest::newRow("sparse matrices") << int(Method::sparse) << false;
    QTest::newRow("slabs") << int(Method::blocked) << true;
  }
  void memoryThatEndsLeavesThemOrNone() {
    QFETCH(int, method);
    QFETCH(bool, slabs);
    NufftOptions options = withAccuracy(1e-6);
    options.spread = options.interpolate = Method(method);
    options.precomputation = method == int(Method::blocked) ? Precomputation::tensor : options.precomputation;
    options.normal = NormalMethod::gridded;
    const Case c = interleavedCase(options);
    const auto make = [&]() -> std::unique_ptr<Nufft<double>> {
      if (!slabs) return c.plan();
      const NufftProblem part = slabProblem(c.problem, 2);
      return makeSlabNufft<double>(c.problem, makePlan<double>(part, c.options), {});
    };
    const auto wanted = make();
    wanted->setPoints(c.points(c.many, 7));
    const auto wantedImage = imageOf(*wanted);
    int kept = 0, lost = 0;
    for (int request = 0; request < 1000; ++request) {
      const auto plan = make();
      plan->setPoints(c.points(few, 6));
      const auto samples = samplesOf(*plan), image = imageOf(*plan);
      permitted = request;
      bool failed = false;
      try {
        plan->setPoints(c.points(c.many, 7));
      } catch (const Error&) {
        failed = true;
      } catch (const std::bad_alloc&) {
        failed = true;
      }
      permitted = -1;
      if (!failed) {
        QCOMPARE(imageOf(*plan), wantedImage);
        break;
      }
      if (plan->points() == 0) {
        ++lost;
        QCOMPARE(imageOf(*plan), std::vector<cdouble>(image.size()));
        QVERIFY(samplesOf(*plan).empty());
      } else {
        ++kept;
        QCOMPARE(samplesOf(*plan), samples);
        QCOMPARE(imageOf(*plan), image);
      }
      plan->setPoints(c.points(c.many, 7));
      QCOMPARE(imageOf(*plan), wantedImage);
    }
    QVERIFY2(kept > 0 && lost > 0, qPrintable(QString("%1 kept, %2 lost").arg(kept).arg(lost)));
  }
};

SPOKELAB_TEST(FailedPointsTest)

}  // namespace test_failed_points

#include "test_failed_points.moc"
