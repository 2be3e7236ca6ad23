// The transform with nfft-jl's window against exact sums, on both sides of its cut: 2m points and
// 2m + 2.
#include <QtTest>

#include <cmath>
#include <random>
#include <stop_token>

#include "engine/profile/study/nfft_jl/band_limited.h"
#include "engine/profile/study/plan_race.h"
#include "tests/test_main.h"

namespace test_band_limited {

using namespace spokelab;

namespace {

NufftProblem planar() {
  NufftProblem problem;
  problem.dims = 2;
  problem.size = {18, 15, 1};
  problem.precision = Precision::double64;
  return problem;
}

std::vector<double> points() {
  std::vector<double> all{-0.5, 0.5, 0, 0, 0.25, -0.25};
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  for (int i = 0; i < 200; ++i) all.push_back(uniform(random));
  return all;
}

double errorOf(double alpha, int halfWidth, int cells, bool adjoint) {
  BandLimitedNufft nufft(planar(), alpha, halfWidth, cells);
  const std::vector<double> at = points();
  nufft.setPoints(at);
  constexpr int outputs = 60;
  return largestRelativeError(planar(),
                              [&](const cdouble* in, cdouble* out) {
                                adjoint ? nufft.adjoint(in, out, {}) : nufft.forward(in, out, {});
                              },
                              at, adjoint, outputs, {});
}

}  // namespace

class TestBandLimited : public QObject {
  Q_OBJECT

 private slots:
  // A window that is cut errs by what is cut off: about a hundredth for each further cell of m.
  void errsByWhatIsCutOff() {
    for (const bool adjoint : {false, true}) {
      double before = 1e-3;
      for (int m = 3; m <= 7; ++m) {
        const double error = errorOf(2, m, 2 * m, adjoint);
        QVERIFY2(error < 0.05 * before && error > 1e-4 * before, qPrintable(QString::number(error)));
        before = error;
      }
      QVERIFY(errorOf(2, 10, 20, adjoint) < 1e-13);
    }
    QVERIFY(errorOf(1.5, 6, 12, false) < 1e-7);
  }

  // [nfft-jl] 3.7.5: two more points cut off less, a larger m gains more.
  void twoMorePointsGainLessThanALargerHalfWidth() {
    for (const int m : {3, 4, 5}) {
      const double cut = errorOf(2, m, 2 * m, false), longer = errorOf(2, m, 2 * m + 2, false),
                   wider = errorOf(2, m + 1, 2 * m + 2, false);
      QVERIFY2(longer < cut && wider < longer / 5,
               qPrintable(QStringLiteral("%1 %2 %3").arg(cut).arg(longer).arg(wider)));
    }
  }

  void isCancelled() {
    BandLimitedNufft nufft(planar(), 2, 4, 8);
    const std::vector<double> at = points();
    nufft.setPoints(at);
    std::stop_source stop;
    stop.request_stop();
    std::vector<cdouble> image(std::size_t(planar().pixels())), samples(at.size() / 2);
    const Progress progress(stop.get_token());
    QVERIFY_THROWS_EXCEPTION(Cancelled, nufft.adjoint(samples.data(), image.data(), progress));
    QVERIFY_THROWS_EXCEPTION(Cancelled, nufft.forward(image.data(), samples.data(), progress));
  }
};

SPOKELAB_TEST(TestBandLimited)

}  // namespace test_band_limited

#include "test_band_limited.moc"
