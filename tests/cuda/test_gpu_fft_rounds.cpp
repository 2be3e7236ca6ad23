// Timing of a grid's transforms on the GPU (gridFftRounds): numbers of rounds, plausible times, and
// grids that are too large.
#include <QtTest>

#include <algorithm>

#include "tests/cuda/gpu_test.h"
#include "tests/test_main.h"

namespace test_gpu_fft_rounds {

using namespace spokelab;
using namespace spokelab::gputest;

namespace {

double median(std::vector<double> seconds) {
  std::nth_element(seconds.begin(), seconds.begin() + std::ptrdiff_t(seconds.size() / 2), seconds.end());
  return seconds[seconds.size() / 2];
}

}  // namespace

class TestGpuFftRounds : public QObject {
  Q_OBJECT
 private slots:
  void eachRoundTimesAllFour() {
    NEEDS_GPU();
    constexpr int side = 96, pixels = 64, rounds = 4;
    int reports = 0;
    const Progress progress({}, [&](double done, const std::string&) {
      ++reports;
      QVERIFY(done >= 0 && done <= 1);
    });
    const GridFftRounds timed = backend()->gridFftRounds(side, pixels, rounds, progress);
    QCOMPARE(timed.library, std::string("cuFFT"));
    for (const auto* seconds : {&timed.whole, &timed.eight, &timed.toGrid, &timed.toImage}) {
      QCOMPARE(seconds->size(), std::size_t(rounds));
      QVERIFY(std::all_of(seconds->begin(), seconds->end(), [](double s) { return s > 0 && s < 1; }));
    }
    QVERIFY(reports >= rounds);
  }

  // A transform reads and writes its grid at least once. 10 TB/s are more than the memory of any
  // GPU of today moves, and this grid is larger than a cache.
  void noTransformIsFasterThanItsMemory() {
    NEEDS_GPU();
    constexpr int side = 384, pixels = 256;
    constexpr double bytes = 2.0 * side * side * side * 8, mostRate = 10e12;
    const GridFftRounds timed = backend()->gridFftRounds(side, pixels, 5, {});
    QVERIFY(median(timed.whole) > bytes / mostRate);
    QVERIFY(median(timed.eight) > bytes / mostRate);
  }

  // The large grid has 216 times the cells. Launches hide a part of the difference.
  void aLargerGridTakesLonger() {
    NEEDS_GPU();
    const GridFftRounds small = backend()->gridFftRounds(64, 48, 5, {}),
                        large = backend()->gridFftRounds(384, 288, 5, {});
    QVERIFY(median(large.whole) > 2 * median(small.whole));
    QVERIFY(median(large.toGrid) > 2 * median(small.toGrid));
    QVERIFY(median(large.toImage) > 2 * median(small.toImage));
  }

  void aGridBeyondTheMemoryIsRefused() {
    NEEDS_GPU();
    try {
      backend()->gridFftRounds(8192, 4096, 1, {});  // 4.4 TB
      QFAIL("it was timed");
    } catch (const Error& error) {
      QVERIFY(QString::fromStdString(error.what()).contains("Cannot time transforms on the GPU"));
    }
  }
};

SPOKELAB_TEST(TestGpuFftRounds)

}  // namespace test_gpu_fft_rounds

#include "test_gpu_fft_rounds.moc"
