// An impulse response on the gradients of a sequence: against the differential equation of a system
// that lags, with dephasers, pulses and the shots before.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/read/correct/sequence_girf.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/sequence_file.h"
#include "tests/test_main.h"

namespace test_sequence_girf {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double lag = 60e-6;  // s: time constant

// G_out + lag dG_out/dt = G_in
Girf laggingSystem() {
  Girf g;
  for (double f = -50e3; f <= 50e3; f += 100) {
    g.frequencies.push_back(f);
    const cdouble h = 1.0 / cdouble(1, 2 * std::numbers::pi * f * lag);
    g.gradient.push_back({h, h, h});
  }
  return g;
}

double trapezoid(double t, double amplitude, double flat) {
  constexpr double ramp = 100e-6;
  if (t <= 0 || t >= 2 * ramp + flat) return 0;
  return amplitude * std::min({1.0, t / ramp, (2 * ramp + flat - t) / ramp});
}

}  // namespace

class TestSequenceGirf : public QObject, private ArrayFolder {
  Q_OBJECT

 private slots:
  void init() { renew(); }

  void aLagIsWhatItsEquationSays_data() {
    QTest::addColumn<bool>("refocused");
    QTest::newRow("excitations") << false;
    QTest::newRow("refocused") << true;
  }
  void aLagIsWhatItsEquationSays() {
    QFETCH(bool, refocused);
    SequenceSpec spec;
    spec.shots = 3;
    spec.dwell = 10e-6;
    spec.refocused = refocused;
    const PulseqSequence sequence = parsePulseq(sequenceText(spec), "test", {});
    const PulseqKspace asked = calculateKspace(sequence, "test", {});
    const PulseqKspace found =
        calculateKspace(sequence, "test", {}, girfDeviation(sequence, laggingSystem(), "test", Progress()));

    // The gradient along x, from the sequence's parts.
    const double flat = spec.samples * spec.dwell, g = readGradient(spec), us = 1e-6;
    const double pre =
        g * (50 * us + (spec.samples / 2 + 0.5) * spec.dwell) / (900 * us) * (refocused ? 1 : -1);
    const double dephaser = 300 * us, readout = (refocused ? 1600 : 1300) * us,
                 shot = readout + flat + 200 * us;
    const auto gradient = [&](double t) {
      const int n = int(t / shot);
      const double in = t - n * shot, turn = std::cos(n * spec.angle);
      return turn * (trapezoid(in - dephaser, pre, 800 * us) + trapezoid(in - readout, g, flat));
    };
    const double step = 0.05 * us, left = std::exp(-step / lag);
    double out = 0, k = 0, largest = 0, worst = 0, moved = 0;
    std::size_t next = 0;  // readout
    std::int64_t sample = 0;
    bool excited = false, turned = false;
    for (std::int64_t i = 0; next < found.readouts.size(); ++i) {
      const double t = double(i) * step;
      const PulseqReadout& r = found.readouts[next];
      if (!excited && t >= r.time - r.sinceExcitation) {
        k = 0;
        excited = true;
      }
      if (refocused && !turned && t >= double(next) * shot + 1450 * us) {  // the pulse's centre
        k = -k;
        turned = true;
      }
      while (sample < r.samples && t >= r.time + double(sample) * r.dwell) {
        const auto at = std::size_t(r.first + sample++);
        worst = std::max(worst, std::abs(found.k[at][0] - k));
        moved = std::max(moved, std::abs(asked.k[at][0] - k));
        largest = std::max(largest, std::abs(k));
      }
      if (sample == r.samples) {
        ++next;
        sample = 0;
        excited = turned = false;
      }
      const double before = out;
      out = left * out + (1 - left) * gradient(t + step / 2);
      k += step * (before + out) / 2;
    }
    QVERIFY(moved > 0.02 * largest);
    QVERIFY2(worst < 1e-3 * largest, qPrintable(QString::number(worst / largest)));
  }
};

SPOKELAB_CORE_TEST(TestSequenceGirf)

}  // namespace test_sequence_girf

#include "test_sequence_girf.moc"
