// Tiles of points that are sorted by way of buckets fit into a block's shared memory, whatever the
// number of points: by the design alone for any device, and by running sorts of numbers of points
// in which a block's tile is longest.
#include <QtTest>

#include <algorithm>
#include <cmath>

#include "cuda/nufft/points/bucket_design.h"
#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_bucket_tiles {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

// Kernels hold 4,256 bytes on an H100 by the compiler, 5,280 with the bytes that CUDA keeps for
// itself.
constexpr std::int64_t heldBytes[] = {0, 4256, 5280, 12000};
constexpr int hopperShared = 232448, multiprocessors = 132;

gpu::DeviceLimits deviceOf(int sharedPerBlock, int blocks) {
  gpu::DeviceLimits d;
  d.sharedPerBlock = sharedPerBlock;
  d.multiprocessors = blocks;
  return d;
}

// Numbers of points from 2^16 to 10^8: at both ends and in the middle of each turn of all
// multiprocessors, in which tiles grow to the longest, and evenly between.
std::vector<std::int64_t> pointCounts(int blocks) {
  constexpr std::int64_t least = std::int64_t(1) << 16, most = 100'000'000, manyTurns = 24;
  constexpr double step = 1.17;
  std::vector<std::int64_t> counts;
  for (double n = double(least); n <= double(most); n *= step) counts.push_back(std::int64_t(n));
  for (std::int64_t turn = 1; turn <= manyTurns; ++turn)
    for (std::int64_t tile = gpu::bucketThreads; tile <= 8 * gpu::bucketThreads; tile += gpu::bucketThreads)
      for (const std::int64_t off : {-1, 0, 1}) counts.push_back(tile * blocks * turn + off);
  std::erase_if(counts, [](std::int64_t n) { return n < least || n > most; });
  return counts;
}

template <class Real>
void toeplitzAgrees(std::int64_t side, std::int64_t count) {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {side, side, side};
  problem.precision = sizeof(Real) == 8 ? Precision::double64 : Precision::single;
  NufftOptions options;
  options.accuracy = 1e-3;
  const auto points = makePoints(3, count, PointPattern::random, 5);
  const auto image = converted<Real>(randomValues(problem.pixels(), 6));
  std::vector<std::complex<Real>> results[2];
  const NormalMethod methods[] = {NormalMethod::toeplitz, NormalMethod::gridded};
  for (int i = 0; i < 2; ++i) {
    options.normal = methods[i];
    options.spread = options.interpolate = i == 0 ? Method::automatic : Method::pointDriven;
    const auto plan = backend()->template plan<Real>(problem, options);
    plan->setPoints(points);
    results[i].resize(image.size());
    plan->normal(image.data(), results[i].data());
  }
  const double distance = relativeDistance<Real>(results[0], results[1]);
  QVERIFY2(distance <= 4 * options.accuracy, qPrintable(QString::number(distance)));
}

template <class Real>
void tensorAgrees(std::int64_t side, std::int64_t count) {
  NufftProblem problem;
  problem.dims = 3;
  problem.size = {side, side, side};
  problem.precision = sizeof(Real) == 8 ? Precision::double64 : Precision::single;
  NufftOptions options;
  options.accuracy = sizeof(Real) == 8 ? 1e-6 : 1e-3;
  options.normal = NormalMethod::later;
  options.alpha = 1.25;
  if (!offers(Method::tensor, problem, options)) QSKIP("this device has no matrix products for it");
  const auto points = makePoints(3, count, PointPattern::random, 5);
  const auto samples = converted<Real>(randomValues(count, 6));
  std::vector<std::complex<Real>> images[2];
  const Method methods[] = {Method::tensor, Method::pointDriven};
  for (int i = 0; i < 2; ++i) {
    options.spread = methods[i];
    const auto plan = backend()->template plan<Real>(problem, options);
    plan->setPoints(points);
    images[i].resize(std::size_t(problem.pixels()));
    plan->adjoint(samples.data(), images[i].data());
  }
  const double distance = relativeDistance<Real>(images[0], images[1]);
  QVERIFY2(distance <= 2 * options.accuracy, qPrintable(QString::number(distance)));
}

}  // namespace

class TestGpuBucketTiles : public QObject {
  Q_OBJECT
 private slots:
  void everyNumberOfPointsFits_data() {
    QTest::addColumn<int>("sharedPerBlock");
    QTest::addColumn<int>("blocks");
    QTest::newRow("H100, H200") << hopperShared << multiprocessors;
    QTest::newRow("A100") << 166912 << 108;
    QTest::newRow("99 KB") << 101376 << 84;
    QTest::newRow("64 KB") << 65536 << 40;
  }
  void everyNumberOfPointsFits() {
    QFETCH(int, sharedPerBlock);
    QFETCH(int, blocks);
    const gpu::DeviceLimits device = deviceOf(sharedPerBlock, blocks);
    int longTiles = 0, checked = 0;
    for (const std::int64_t count : pointCounts(blocks))
      for (const std::int64_t keys : {1, 77, 4096, 70'000, 1'000'000, (1 << 22) + 9, 1 << 24})
        for (const int classes : {1, 8, 32})
          for (const std::int64_t record : {4, 16, 32})
            for (const std::int64_t held : heldBytes) {
              const gpu::BucketDesign b = gpu::designBuckets(count, keys, classes, record, held, device);
              if (b.tilePoints == 0) continue;  // the caller sorts otherwise
              ++checked;
              longTiles += b.tilePoints > 6 * gpu::bucketThreads;
              const std::int64_t most = held + std::max(b.toBucketsBytes, b.toKeysBytes);
              QVERIFY2(most <= sharedPerBlock,
                       qPrintable(QString("%1 points, %2 keys x %3, %4 bytes: %5 of shared memory")
                                      .arg(count)
                                      .arg(keys)
                                      .arg(classes)
                                      .arg(record)
                                      .arg(most)));
              QVERIFY(std::int64_t(b.buckets) << b.lowBits >= keys);
            }
    QVERIFY(checked > 0);
    if (sharedPerBlock == hopperShared) QVERIFY(longTiles > 0);
  }

  // A device that says more of its kernels gets shorter tiles, and never none where there is room.
  void tilesAreAsLongAsThereIsRoom() {
    const gpu::DeviceLimits device = deviceOf(hopperShared, multiprocessors);
    constexpr std::int64_t count = 8192 * multiprocessors, keys = 1 << 24, record = 16;
    int before = 8 * gpu::bucketThreads;
    for (const std::int64_t held : heldBytes) {
      const int points = gpu::designBuckets(count, keys, 1, record, held, device).tilePoints;
      QVERIFY(points <= before && points >= 4 * gpu::bucketThreads);
      before = points;
    }
    QCOMPARE(gpu::designBuckets(count, keys, 1, record, hopperShared, device).tilePoints, 0);
  }

  // Cases that asked for more shared memory than a block has.
  void undersampledVolumesAreSorted_data() {
    QTest::addColumn<int>("side");
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("toeplitz");
    QTest::newRow("Toeplitz 160^3") << 160 << 1'024'000 << true;
    QTest::newRow("Toeplitz 225^3") << 225 << 2'847'656 << true;
    QTest::newRow("Toeplitz 256^3") << 256 << 4'194'304 << true;
    QTest::newRow("tensor 263^3") << 263 << 948'442 << false;
  }
  void undersampledVolumesAreSorted() {
    NEEDS_GPU();
    QFETCH(int, side);
    QFETCH(int, count);
    QFETCH(bool, toeplitz);
    toeplitz ? toeplitzAgrees<float>(side, count) : tensorAgrees<float>(side, count);
  }

  // Numbers of points at the ends of the turns of this kind of device.
  void turnsOfAllMultiprocessorsAreSorted_data() {
    QTest::addColumn<int>("count");
    QTest::addColumn<bool>("dbl");
    for (const int turn : {1, 2, 4})
      for (const int tile : {7168, 7169, 8192})
        for (const bool dbl : {false, true})
          QTest::addRow("%d turns of %d, %s", turn, tile, dbl ? "double" : "float")
              << turn * tile * multiprocessors + (tile > 7168 ? 0 : 1) << dbl;
  }
  void turnsOfAllMultiprocessorsAreSorted() {
    NEEDS_GPU();
    QFETCH(int, count);
    QFETCH(bool, dbl);
    constexpr std::int64_t side = 200;
    dbl ? tensorAgrees<double>(side, count) : tensorAgrees<float>(side, count);
  }
};

SPOKELAB_CORE_TEST(TestGpuBucketTiles)

}  // namespace test_gpu_bucket_tiles

#include "test_gpu_bucket_tiles.moc"
