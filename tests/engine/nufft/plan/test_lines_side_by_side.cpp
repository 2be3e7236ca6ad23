// Lines of a batch whose grids lie side by side give what they give one by one.
#include <QtTest>

#include <limits>

#include "engine/nufft/nufft.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_lines_side_by_side {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t pixels = 301, batch = 11, count = 700;

template <class Real>
struct Results {
  using Complex = std::complex<Real>;
  std::vector<Complex> samples, image, normal;

  // Calls the plan for `lines` lines at a time.
  Results(Nufft<Real>& plan, std::int64_t lines)
      : samples(batch * count), image(batch * pixels), normal(image) {
    const auto in = randomData<Real>(batch * pixels, 3), values = randomData<Real>(batch * count, 4);
    for (std::int64_t b = 0; b < batch; b += lines) {
      plan.forward(in.data() + b * pixels, samples.data() + b * count);
      plan.adjoint(values.data() + b * count, image.data() + b * pixels);
      plan.normal(in.data() + b * pixels, normal.data() + b * pixels);
    }
  }
};

template <class Real>
std::unique_ptr<Nufft<Real>> planOf(std::int64_t lines, const NufftOptions& options) {
  NufftProblem problem;
  problem.dims = 1;
  problem.size = {pixels, 1, 1};
  problem.batch = lines;
  auto plan = makePlan<Real>(problem, options);
  // Three quarters in the middle, so that tiles there are shared among threads.
  std::vector<double> points = randomPoints(1, count, 5);
  for (std::size_t j = 0; j < points.size() * 3 / 4; ++j) points[j] *= 0.05;
  plan->setPoints(points);
  std::vector<double> weights;
  for (std::int64_t j = 0; j < count; ++j) weights.push_back(0.5 + double(j) / double(count));
  plan->setWeights(weights);
  return plan;
}

template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  double difference = 0, length = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::norm(a[i] - b[i]);
    length += std::norm(b[i]);
  }
  return std::sqrt(difference / length);
}

template <class Real>
void compare(NufftOptions options) {
  options.accuracy = std::is_same_v<Real, float> ? 1e-4 : 1e-10;
  const double rounding = 30 * double(std::numeric_limits<Real>::epsilon());
  NufftOptions alone = options;
  alone.threads = 1;
  const auto one = planOf<Real>(1, alone), all = planOf<Real>(batch, options);
  const std::int64_t gridBytes = one->info().grid[0] * std::int64_t(sizeof(std::complex<Real>));
  QVERIFY(all->info().memory > one->info().memory + (options.threads - 2) * gridBytes);
  const Results<Real> expected(*one, 1);
  const auto requireSame = [&] {
    const Results<Real> found(*all, batch);
    QVERIFY(distance(found.samples, expected.samples) < rounding);
    QVERIFY(distance(found.image, expected.image) < rounding);
    QVERIFY(distance(found.normal, expected.normal) < rounding);
  };
  requireSame();
  // Not a number, at an odd address: each grid is cleared and aligned.
  std::vector<unsigned char> lent(std::size_t(all->workspaceBytes()) + 1, 0xFF);
  all->setWorkspace(lent.data() + 1, std::int64_t(lent.size()) - 1);
  requireSame();
  all->setWorkspace(nullptr, 0);
  requireSame();
}

}  // namespace

class TestLinesSideBySide : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void agreeWithOneByOne_data() {
    QTest::addColumn<int>("threads");
    QTest::addColumn<int>("scheduler");
    QTest::addColumn<int>("normal");
    for (const int threads : {2, 4})  // groups of 4, 4 and 3 lines
      for (const Scheduler scheduler : {Scheduler::tiles, Scheduler::graph})
        for (const NormalMethod normal : {NormalMethod::gridded, NormalMethod::toeplitz})
          QTest::addRow("%d threads, %s, %s", threads, std::string(schedulerName(scheduler)).c_str(),
                        std::string(normalMethodName(normal)).c_str())
              << threads << int(scheduler) << int(normal);
  }
  void agreeWithOneByOne() {
    QFETCH(int, threads);
    QFETCH(int, scheduler);
    QFETCH(int, normal);
    NufftOptions options;
    options.threads = threads;
    options.scheduler.kind = Scheduler(scheduler);
    options.normal = NormalMethod(normal);
    compare<float>(options);
    compare<double>(options);
  }

  // The same bits with any number of threads.
  void reproducible() {
    NufftOptions options;
    options.accuracy = 1e-5;
    options.reproducible = true;
    options.normal = NormalMethod::gridded;
    options.threads = 1;
    const auto one = planOf<float>(batch, options);
    const Results<float> expected(*one, batch);
    options.threads = 4;
    const auto four = planOf<float>(batch, options);
    const Results<float> found(*four, batch);
    QVERIFY(found.samples == expected.samples && found.image == expected.image &&
            found.normal == expected.normal);
  }

  // A user's limit of memory is for one grid.
  void memoryLimit() {
    NufftOptions options;
    options.threads = 4;
    const std::int64_t together = planOf<float>(batch, options)->info().memory;
    options.memoryLimit = together;
    QVERIFY(planOf<float>(batch, options)->info().memory < together);
  }
};

SPOKELAB_TEST(TestLinesSideBySide)

}  // namespace test_lines_side_by_side

#include "test_lines_side_by_side.moc"
