// Transforms in slabs against exact sums and against the transform of the whole image.
#include <QtTest>

#include "engine/core/error.h"
#include "engine/core/jobs/thread_ranks.h"
#include "engine/nufft/plan/slab_nufft.h"
#include "tests/engine/nufft/plan/plan_test.h"
#include "tests/test_main.h"

namespace test_slab_nufft {

using namespace spokelab;
using namespace spokelab::test;

namespace {

template <class Real>
std::unique_ptr<Nufft<Real>> inSlabs(const NufftProblem& whole, NufftOptions options, std::int64_t slabs) {
  options.normal = NormalMethod::gridded;
  return makeSlabNufft<Real>(whole, makePlan<Real>(slabProblem(whole, slabs), options));
}

NufftProblem volume(Index3 size, std::int64_t batch = 1, int sign = -1) {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = size;
  problem.batch = batch;
  problem.sign = sign;
  return problem;
}

// Relative errors of forward and adjoint against the exact sums of the whole image, the larger one.
template <class Real>
double slabError(const NufftProblem& whole, const NufftOptions& options, std::int64_t slabs,
                 const std::vector<double>& points) {
  const auto plan = inSlabs<Real>(whole, options, slabs);
  plan->setPoints(points);
  const std::int64_t count = plan->points(), pixels = whole.pixels();
  const auto image = randomData<Real>(whole.batch * pixels, 1);
  const auto samples = randomData<Real>(whole.batch * count, 2);
  std::vector<std::complex<Real>> forward(samples.size(), std::complex<Real>(7)), adjoint(image.size());
  plan->forward(image.data(), forward.data());
  plan->adjoint(samples.data(), adjoint.data());
  NufftProblem one = whole;
  one.batch = 1;
  double worst = 0;
  for (std::int64_t b = 0; b < whole.batch; ++b) {
    const auto* f = image.data() + b * pixels;
    const auto* c = samples.data() + b * count;
    const std::vector<cdouble> f64(f, f + pixels), c64(c, c + count);
    worst = std::max(worst, distance(forward.data() + b * count, nudftForward(one, points, f64)));
    worst = std::max(worst, distance(adjoint.data() + b * pixels, nudftAdjoint(one, points, c64)));
  }
  return worst;
}

cdouble product(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  cdouble sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += std::conj(a[i]) * b[i];
  return sum;
}

}  // namespace

class SlabNufftTest : public QObject {
  Q_OBJECT

 private slots:
  void equalsExactSums_data();
  void equalsExactSums();
  void pointsBeyondTheBandAreFolded();
  void forwardAndAdjointAreAdjoint();
  void normalIsAdjointOfWeightedForward();
  void reproducibleResultsRepeatWithAnyThreads();
  void gridIsThatOfASlab();
  void noPointsGiveExactZeros();
  void ranksDivideTheSlabs();
  void wrongUseIsRefused();
};

void SlabNufftTest::equalsExactSums_data() {
  QTest::addColumn<int>("planes");
  QTest::addColumn<int>("slabs");
  for (const int planes : {12, 13})
    for (const int slabs : {1, 2, 3, 4, 5})
      QTest::addRow("%d planes, %d slabs", planes, slabs) << planes << slabs;
}

void SlabNufftTest::equalsExactSums() {
  QFETCH(const int, planes);
  QFETCH(const int, slabs);
  const std::vector<double> points = randomPoints(3, 700, 31);
  for (const int sign : {-1, 1}) {
    const NufftProblem whole = volume({9, 10, planes}, 3, sign);
    QVERIFY(slabError<double>(whole, withAccuracy(1e-9), slabs, points) <= 2e-9);
    QVERIFY(slabError<float>(whole, withAccuracy(1e-4), slabs, points) <= 2e-4);
  }
  NufftProblem slice = volume({11, planes, 1}, 2);
  slice.dims = 2;
  QVERIFY(slabError<double>(slice, withAccuracy(1e-9), slabs, randomPoints(2, 400, 32)) <= 2e-9);
}

void SlabNufftTest::pointsBeyondTheBandAreFolded() {
  const std::vector<double> points = randomPoints(3, 500, 33, 3.0);
  QVERIFY(slabError<double>(volume({8, 7, 11}), withAccuracy(1e-9), 3, points) <= 2e-9);
}

void SlabNufftTest::forwardAndAdjointAreAdjoint() {
  const NufftProblem whole = volume({10, 9, 13}, 2);
  const auto plan = inSlabs<double>(whole, withAccuracy(1e-3), 4);
  plan->setPoints(randomPoints(3, 800, 34));
  const auto x = randomData<double>(2 * whole.pixels(), 35);
  const auto y = randomData<double>(1600, 36);
  std::vector<cdouble> ax(y.size()), ahy(x.size());
  plan->forward(x.data(), ax.data());
  plan->adjoint(y.data(), ahy.data());
  const cdouble left = product(ax, y), right = product(x, ahy);
  QVERIFY(std::abs(left - right) < 1e-12 * std::abs(left));
}

void SlabNufftTest::normalIsAdjointOfWeightedForward() {
  const NufftProblem whole = volume({10, 9, 13}, 2);
  const auto plan = inSlabs<double>(whole, withAccuracy(1e-6), 3);
  plan->setPoints(randomPoints(3, 500, 37));
  std::vector<double> weights(500);
  for (std::size_t j = 0; j < weights.size(); ++j) weights[j] = 0.5 + double(j % 7);
  auto image = randomData<double>(2 * whole.pixels(), 38);
  std::vector<cdouble> samples(1000), expected(image.size()), result(image.size());
  for (const bool weighted : {false, true}) {
    plan->forward(image.data(), samples.data());
    for (std::size_t j = 0; weighted && j < samples.size(); ++j) samples[j] *= weights[j % 500];
    plan->adjoint(samples.data(), expected.data());
    if (weighted) plan->setWeights(weights);
    plan->normal(image.data(), result.data());
    QVERIFY(distance(result.data(), expected) < 1e-14);
  }
  // In place.
  const StageTimings timings = timedStages([&] { plan->normal(image.data(), image.data()); });
  QVERIFY(image == result);
  QVERIFY(timings[Stage::fft] > 0 && timings[Stage::spread] > 0);
  QVERIFY(timings.accounted() <= timings.total);
}

void SlabNufftTest::reproducibleResultsRepeatWithAnyThreads() {
  const NufftProblem whole = volume({16, 15, 17}, 2);
  const std::vector<double> points = randomPoints(3, 20'000, 39);
  const auto image = randomData<float>(2 * whole.pixels(), 40);
  const auto samples = randomData<float>(40'000, 41);
  std::vector<cfloat> firstForward, firstAdjoint;
  for (const int threads : {1, 2, 3}) {
    NufftOptions options = withAccuracy(1e-3, 2, threads);
    options.reproducible = true;
    const auto plan = inSlabs<float>(whole, options, 3);
    plan->setPoints(points);
    std::vector<cfloat> forward(samples.size()), adjoint(image.size());
    plan->forward(image.data(), forward.data());
    plan->adjoint(samples.data(), adjoint.data());
    if (threads == 1) {
      firstForward = forward;
      firstAdjoint = adjoint;
    }
    QVERIFY(forward == firstForward);
    QVERIFY(adjoint == firstAdjoint);
  }
}

void SlabNufftTest::gridIsThatOfASlab() {
  const NufftProblem whole = volume({32, 32, 96});
  const NufftOptions options = withAccuracy(1e-3);
  const auto all = makePlan<float>(whole, options);
  const auto plan = inSlabs<float>(whole, options, 4);
  QCOMPARE(plan->info().grid[2], all->info().grid[2] / 4);
  QVERIFY(plan->info().memory < all->info().memory / 2);
  QVERIFY(plan->info().description.ends_with("in 4 slabs of 24 planes, each with all points"));
  const std::int64_t before = plan->info().memory;
  plan->setPoints(randomPoints(3, 5000, 42));
  QVERIFY(plan->info().memory > before);
}

void SlabNufftTest::noPointsGiveExactZeros() {
  const NufftProblem whole = volume({8, 8, 9});
  const auto plan = inSlabs<float>(whole, withAccuracy(1e-3), 2);
  plan->setPoints({});
  std::vector<cfloat> image(std::size_t(whole.pixels()), cfloat(3, 4));
  plan->adjoint(nullptr, image.data());
  QCOMPARE(image, std::vector<cfloat>(image.size()));
}

// Each rank has the samples of the whole image, and its own planes of it.
void SlabNufftTest::ranksDivideTheSlabs() {
  const NufftProblem whole = volume({9, 10, 13}, 2);
  const std::vector<double> points = randomPoints(3, 400, 44);
  const auto image = randomData<double>(2 * whole.pixels(), 45);
  const auto samples = randomData<double>(800, 46);
  const auto alone = inSlabs<double>(whole, withAccuracy(1e-9), 5);
  alone->setPoints(points);
  std::vector<cdouble> forward(samples.size()), adjoint(image.size()), normal(image.size());
  alone->forward(image.data(), forward.data());
  alone->adjoint(samples.data(), adjoint.data());
  alone->normal(image.data(), normal.data());
  std::vector<cdouble> sum(image.size()), sumOfNormals(image.size());
  const std::vector<std::vector<int>> shares = {{0, 1}, {2}, {3, 4}};
  runOnThreadRanks(std::vector<std::string>(3, "here"),
                   [&](Ranks& ranks, const Progress& progress) {
                     NufftOptions options = withAccuracy(1e-9);
                     options.normal = NormalMethod::gridded;
                     const std::vector<int>& share = shares[std::size_t(ranks.rank())];
                     const auto plan = makeSlabNufft<double>(
                         whole, makePlan<double>(slabProblem(whole, 5), options), {&ranks, share, progress});
                     plan->setPoints(points);
                     std::vector<cdouble> own(samples.size()), part(image.size(), cdouble(7)),
                         partOfNormal(image.size());
                     plan->forward(image.data(), own.data());
                     if (distance(own.data(), forward) > 1e-14) throw Error("The samples are others", "", "");
                     plan->adjoint(samples.data(), part.data());
                     plan->normal(image.data(), partOfNormal.data());
                     const std::int64_t plane = 90;
                     for (std::size_t i = 0; i < part.size(); ++i) {
                       const int slab = int(std::int64_t(i) % whole.pixels() / (3 * plane));
                       const bool mine = std::find(share.begin(), share.end(), slab) != share.end();
                       if (!mine && (part[i] != 0.0 || partOfNormal[i] != 0.0))
                         throw Error("Not zero elsewhere", "", "");
                     }
                     for (auto* const values : {&part, &partOfNormal})
                       ranks.sum(reinterpret_cast<double*>(values->data()), 2 * values->size(), progress);
                     if (!ranks.isFirst()) return;
                     sum = part;
                     sumOfNormals = partOfNormal;
                   },
                   {});
  QVERIFY(distance(sum.data(), adjoint) < 1e-15);
  QVERIFY(distance(sumOfNormals.data(), normal) < 1e-14);
}

void SlabNufftTest::wrongUseIsRefused() {
  const NufftProblem whole = volume({8, 8, 9});
  const NufftOptions options = withAccuracy(1e-3);
  QVERIFY_EXCEPTION_THROWN(slabProblem(whole, 0), Error);
  QVERIFY_EXCEPTION_THROWN(slabProblem(whole, 10), Error);
  QVERIFY_EXCEPTION_THROWN(makeSlabNufft<float>(volume({8, 7, 9}), makePlan<float>(whole, options)), Error);
  NufftOptions toeplitz = options;
  toeplitz.normal = NormalMethod::toeplitz;
  QVERIFY_EXCEPTION_THROWN(makeSlabNufft<float>(whole, makePlan<float>(slabProblem(whole, 3), toeplitz)),
                           Error);
  runOnThreadRanks(
      {"here"},
      [&](Ranks& ranks, const Progress& progress) {
        for (const std::vector<int>& share : {std::vector<int>{}, std::vector<int>{3}, std::vector<int>{-1}})
          QVERIFY_EXCEPTION_THROWN(
              makeSlabNufft<float>(whole, makePlan<float>(slabProblem(whole, 3), options),
                                   {&ranks, share, progress}),
              Error);
      },
      {});
  const auto plan = inSlabs<float>(whole, options, 3);
  plan->setPoints(randomPoints(3, 10, 43));
  std::vector<cfloat> image(std::size_t(whole.pixels())), samples(10);
  Execution onDevice;
  onDevice.devicePointers = true;
  QVERIFY_EXCEPTION_THROWN(plan->forward(image.data(), samples.data(), onDevice), Error);
  plan->setWeights(std::vector<double>(9, 1.0));
  QVERIFY_EXCEPTION_THROWN(plan->normal(image.data(), image.data()), Error);
}

SPOKELAB_TEST(SlabNufftTest)

}  // namespace test_slab_nufft

#include "test_slab_nufft.moc"
