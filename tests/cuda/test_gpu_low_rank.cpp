// Blocks of low rank on the device are the blocks of the CPU.
#include <QtTest>
#include <cmath>

#include "engine/recon/sense/backend_cpu.h"
#include "tests/cuda/sense_experiment.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_gpu_low_rank {

using namespace spokelab;
using namespace spokelab::gputest;
using namespace spokelab::gputest::sense;

class TestGpuLowRank : public QObject {
  Q_OBJECT
 private slots:
  // Gram matrices of frames and of a block's pixels, of even and odd sizes; the last row's are too large for the
  // device.
  void blocksOfLowRankAreThoseOfTheCpu_data() {
    QTest::addColumn<int>("frames");
    QTest::addColumn<int>("block");
    QTest::addColumn<int>("places");
    const auto row = [](int frames, int block, BlockPlaces places) {
      QTest::addRow("%d frames, block %d, %s", frames, block, std::string(blockPlacesName(places)).c_str())
          << frames << block << int(places);
    };
    row(5, 8, BlockPlaces::fixed);
    row(6, 7, BlockPlaces::random);
    row(7, 2, BlockPlaces::random);
    row(4, 5, BlockPlaces::overlap);
    row(32, 8, BlockPlaces::fixed);
    row(34, 6, BlockPlaces::random);
  }
  void blocksOfLowRankAreThoseOfTheCpu() {
    NEEDS_GPU();
    QFETCH(int, frames);
    QFETCH(int, block);
    QFETCH(int, places);
    std::vector<Experiment> all(std::size_t(frames), makeExperiment(TransformKind::nufft, false));
    std::vector<SenseProblem> problems;
    for (int t = 0; t < frames; ++t) {
      Experiment& e = all[std::size_t(t)];
      e.problem.coils.clear();
      for (int c = 0; c < coils; ++c) {
        const auto other = converted<float>(randomValues(samples, 100U + unsigned(t * coils + c)));
        for (std::size_t j = 0; j < other.size(); ++j)
          e.data[std::size_t(c)][j] += 0.3F * std::cos(float(t)) * other[j];
        e.problem.coils.push_back(e.data[std::size_t(c)].data());
      }
      problems.push_back(e.problem);
    }
    IterationOptions options{6, 0.05, 0, Regularization::locallyLowRank};
    options.block = block;
    options.blockPlaces = BlockPlaces(places);
    const SenseSolution device = backend()->jointRun(problems)->run(options, {}, false, {});
    const SenseSolution host = makeCpuBackend()->jointRun(problems)->run(options, {}, false, {});
    const double difference = spokelab::test::relativeDifference(device.image, host.image);
    QVERIFY2(difference < 1e-3, qPrintable(QString::number(difference)));
    QVERIFY(std::abs(device.objectives.back() / host.objectives.back() - 1) < 1e-4);
  }
};

SPOKELAB_TEST(TestGpuLowRank)

}  // namespace test_gpu_low_rank

#include "test_gpu_low_rank.moc"
