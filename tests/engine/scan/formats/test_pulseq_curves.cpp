// The curves of a sequence are what it plays: areas of gradients are k, slew rates are their
// derivative, thinned curves keep the peaks, and each sample is at its time.
#include <QTemporaryDir>
#include <QtTest>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "engine/scan/formats/pulseq/pulseq_curves.h"
#include "tests/engine/scan/sequence_file.h"
#include "tests/test_main.h"

namespace test_pulseq_curves {

using namespace spokelab;
using namespace spokelab::test;

class TestPulseqCurves : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  const SequenceSpec spec_;

  PlayedSequence played() const {
    const std::string file = folder_.filePath("radial.seq").toStdString();
    std::ofstream(file) << sequenceText(spec_);
    return playSequence(file, {});
  }

 private slots:
  void theSequenceIsWhatItsReadoutsAre() {
    const PlayedSequence p = played();
    QCOMPARE(p.imaging.size(), std::size_t(spec_.shots));
    QCOMPARE(p.trajectory->shots(), std::int64_t(spec_.shots));
    QCOMPARE(p.trajectory->dims, 2);
    QCOMPARE(p.matrix[0], std::int64_t(spec_.samples));
    const double x = p.trajectory->points[std::size_t(2 * (spec_.samples - 1))];  // last of shot 0
    QVERIFY(std::abs(x - spec_.fov * radiusOf(spec_, spec_.samples - 1)) < 1e-6);
    QVERIFY(std::abs(p.largestRf - 15.0 / 360 / 200e-6) < 1e-6 * p.largestRf);
  }

  void areasOfGradientsAreK() {
    const PlayedSequence p = played();
    const auto [begin, end] = shotWindow(p.kspace, 1);
    const PulseqCurves curves = pulseqCurves(p.sequence, p.kspace, begin, end, 100000, {});
    QVERIFY(std::abs((end - begin) * spec_.shots - p.duration) < 1e-4);
    // From the excitation to a sample, by trapezoids.
    const PulseqMoment moment{1, 5};
    const double until = timeOf(p.kspace, moment);
    for (std::size_t d = 0; d < 2; ++d) {
      const PulseqCurve& g = curves.gradients[d];
      double area = 0, most = 0;
      for (std::size_t i = 1; i < g.times.size(); ++i) {
        const double a = std::clamp(g.times[i - 1], begin, until), b = std::clamp(g.times[i], begin, until);
        if (b <= a) continue;
        const double slope = (g.values[i] - g.values[i - 1]) / (g.times[i] - g.times[i - 1]);
        const double atA = g.values[i - 1] + slope * (a - g.times[i - 1]),
                     atB = g.values[i - 1] + slope * (b - g.times[i - 1]);
        area += (b - a) * (atA + atB) / 2;
        most = std::max(most, std::abs(slope));
      }
      const PulseqReadout& r = p.kspace.readouts[1];
      QVERIFY(std::abs(area - p.kspace.k[std::size_t(r.first + 5)][d]) < 1e-6 / spec_.fov);
      double slew = 0;
      for (const double s : curves.slew[d].values) slew = std::max(slew, std::abs(s));
      QVERIFY(slew >= most * (1 - 1e-9));
    }
  }

  void thinnedCurvesKeepThePeaks() {
    const PlayedSequence p = played();
    const PulseqCurves all = pulseqCurves(p.sequence, p.kspace, 0, p.duration, 100000, {});
    const PulseqCurves few = pulseqCurves(p.sequence, p.kspace, 0, p.duration, 7, {});
    const auto same = [](const PulseqCurve& a, const PulseqCurve& b) {
      double mostA = 0, mostB = 0;
      for (const double v : a.values)
        if (std::isfinite(v)) mostA = std::max(mostA, std::abs(v));
      for (const double v : b.values)
        if (std::isfinite(v)) mostB = std::max(mostB, std::abs(v));
      return a.values.size() > b.values.size() && std::abs(mostA - mostB) <= 1e-12 * mostA;
    };
    QVERIFY(same(all.rf, few.rf));
    for (std::size_t d = 0; d < 2; ++d) {
      QVERIFY(same(all.gradients[d], few.gradients[d]));
      QVERIFY(same(all.slew[d], few.slew[d]));
      QVERIFY(same(all.k[d], few.k[d]));
      QVERIFY(few.gradients[d].values.size() <= 4 * 7);
    }
  }

  void eachSampleIsAtItsTime() {
    const PlayedSequence p = played();
    for (std::int64_t r = 0; r < spec_.shots; ++r)
      for (const std::int64_t j : {0, 13, 31}) {
        const PulseqMoment moment{r, j};
        QCOMPARE(momentAt(p.kspace, timeOf(p.kspace, moment)), moment);
      }
    QCOMPARE(momentAt(p.kspace, 0).readout, std::int64_t(-1));
    const PulseqReadout& r = p.kspace.readouts[2];
    QCOMPARE(momentAt(p.kspace, r.time + double(r.samples) * r.dwell + 1e-5).readout, std::int64_t(-1));
  }
};

SPOKELAB_TEST(TestPulseqCurves)

}  // namespace test_pulseq_curves

#include "test_pulseq_curves.moc"
