// The fit of a scan's model: delays and fields that a simulation put in are found; and the decision
// that scales k.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/explore/fit/model_fit.h"
#include "engine/scan/read/correct/correct_scales.h"
#include "engine/scan/read/correct/fit_delays.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/test_main.h"

namespace test_model_fit {

using namespace spokelab;

namespace {

constexpr double twoPi = 2 * std::numbers::pi;

SimulateOptions spokes() {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {64, 64, 1};
  o.trajectory.shots = 70;
  o.trajectory.samplesPerShot = 128;
  o.trajectory.dwellSeconds = 40e-6;
  o.coils = 4;
  return o;
}

// The reader believes in points on which gradients act at once; they were measured later.
std::shared_ptr<Scan> delayed(const Scan& scan, const Vec3& delays) {
  auto believed = std::make_shared<Scan>(scan);
  Trajectory& t = believed->trajectories[0];
  const std::int64_t length = t.shotOffsets[1];
  t.points = delayedPoints(t.points, t.shots(), length, t.dims, {-delays[0], -delays[1], -delays[2]});
  return believed;
}

const FittedValue& valueOf(const ModelFit& fit, const std::string& name) {
  for (const FittedValue& v : fit.values)
    if (v.name == name) return v;
  qFatal("no such value");
}

ReconOptions withoutField() {
  ReconOptions options;
  setOption(options, "field-map", "none");
  return options;
}

}  // namespace

class TestModelFit : public QObject {
  Q_OBJECT

 private slots:
  void valuesAreRoundedToTheirDeviation() {
    const auto text = [](double value, double deviation, const char* unit = "") {
      return valueText({"delay x", unit, value, deviation, true}, "+-");
    };
    QCOMPARE(text(0.0002149, 0.0015, "samples"), std::string("0.0002 +- 0.0015 samples"));
    QCOMPARE(text(0.61234, 0.012), std::string("0.612 +- 0.012"));
    QCOMPARE(text(-41.73, 2.96, "Hz"), std::string("-41.7 +- 3.0 Hz"));
    QCOMPARE(text(1234.6, 56), std::string("1235 +- 56"));
    QCOMPARE(text(1234.6, 560), std::string("1235 +- 5.6e+02"));
    QCOMPARE(text(0.5, 0), std::string("0.5 +- 0"));
    QCOMPARE(valueText({"delay y", "samples", 0, 0, false}, "+-"), std::string("not told by the samples"));
  }

  void delaysAreFound() {
    const auto scan = delayed(*simulate(spokes(), {}), {0.6, -0.35, 0});
    const ModelFit fit = fitModel(*scan, withoutField(), {}, {});
    QVERIFY2(std::abs(fit.delays[0] - 0.6) < 0.05 && std::abs(fit.delays[1] + 0.35) < 0.05,
             qPrintable(QString("%1 %2").arg(fit.delays[0]).arg(fit.delays[1])));
    QVERIFY2(fit.after < 0.6 * fit.before, qPrintable(QString("%1 %2").arg(fit.before).arg(fit.after)));
    const auto choices = readChoices(fit, 2);
    QCOMPARE(choices.size(), std::size_t(1));
    QCOMPARE(choices[0].first, std::string("gradient-delays"));
  }

  // 40 Hz from edge to edge along x, 15 Hz everywhere; delays at the same time.
  void aLinearFieldIsFound() {
    SimulateOptions o = spokes();
    o.offResonance = {FieldShape::linear, 20};
    const auto scan = delayed(*simulate(o, {}), {0.3, 0.3, 0});
    ModelUnknowns unknowns;
    unknowns.fieldOrder = 1;
    const ModelFit fit = fitModel(*scan, withoutField(), unknowns, {});
    const double x = valueOf(fit, "field x").value, y = valueOf(fit, "field y").value;
    QVERIFY2(std::abs(fit.delays[0] - 0.3) < 0.05 && std::abs(fit.delays[1] - 0.3) < 0.05 &&
                 std::abs(std::abs(x) - 40) < 3 && std::abs(y) < 3,
             qPrintable(QString("%1 %2 %3 %4").arg(fit.delays[0]).arg(fit.delays[1]).arg(x).arg(y)));
    QVERIFY(fit.field && fit.field->size == (Index3{64, 64, 1}));
    const Image truth = fieldImage(o.offResonance, scan->geometry.matrix);
    double squares = 0;
    for (std::size_t i = 0; i < truth.data.size(); ++i)
      squares += std::norm(cdouble(fit.field->data[i] - truth.data[i])) / (twoPi * twoPi);
    QVERIFY2(std::sqrt(squares / double(truth.data.size())) < 3,
             qPrintable(QString::number(std::sqrt(squares / double(truth.data.size())))));
  }

  void scalesAreTakenFromTheUser() {
    Scan scan(*simulate(spokes(), {}));
    const std::vector<double> before = scan.trajectories[0].points;
    ReadOptions reading;
    reading.overrides["axis-scales"] = "1.04,0.97";
    Decisions d(reading, "Cannot read the test's scan");
    correctScales(scan, d);
    for (std::size_t i = 0; i < before.size(); ++i)
      QCOMPARE(scan.trajectories[0].points[i], before[i] * (i % 2 == 0 ? 1.04 : 0.97));
    QCOMPARE(d.made.back().topic, std::string("axis-scales"));
  }

  void whatIsWrongIsSaid() {
    SimulateOptions o = spokes();
    o.coils = 1;
    ModelUnknowns none;
    none.delays = false;
    QVERIFY_THROWS_EXCEPTION(Error, fitModel(*simulate(o, {}), withoutField(), none, {}));
    ModelUnknowns cubic;
    cubic.fieldOrder = 3;
    QVERIFY_THROWS_EXCEPTION(Error, fitModel(*simulate(o, {}), withoutField(), cubic, {}));
    for (const char* wrong : {"1.1", "0,1", "a,b"}) {
      ReadOptions reading;
      reading.overrides["axis-scales"] = wrong;
      Decisions d(reading, "Cannot read the test's scan");
      Scan scan(*simulate(o, {}));
      QVERIFY_THROWS_EXCEPTION(Error, correctScales(scan, d));
    }
  }
};

SPOKELAB_CORE_TEST(TestModelFit)

}  // namespace test_model_fit

#include "test_model_fit.moc"
