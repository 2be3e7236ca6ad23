// Concomitant phases: against the field's own formula, sample by sample, for a point in a slice.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/scan/read/correct/concomitant.h"
#include "tests/test_main.h"

namespace test_concomitant {

using namespace spokelab;

namespace {

constexpr double twoPi = 2 * std::numbers::pi, field = 0.5, fovMetres = 0.2, dwell = 10e-6;
constexpr int shots = 4, samples = 400;

// Spirals of one turn whose gradients grow to 20 mT/m.
std::shared_ptr<Scan> spiralScan(const Directions& along, const Vec3& middleMm) {
  auto scan = std::make_shared<Scan>();
  scan->geometry.matrix = {64, 64, 1};
  scan->geometry.fov = {200, 200, 5};
  scan->geometry.setDirections(along);
  scan->geometry.slicePositions = {middleMm};
  Trajectory t;
  for (int n = 0; n < shots; ++n) {
    double kx = 0, ky = 0;  // cycles/FOV
    for (int j = 0; j < samples; ++j) {
      const double turn = twoPi * (double(j) / samples + double(n) / shots);
      t.points.push_back(kx);
      t.points.push_back(ky);
      t.times.push_back(j * dwell);
      const double strength = 20e-3 * 42.577478518e6 * std::min(1.0, j / 50.0);  // Hz/m
      kx += strength * std::cos(turn) * fovMetres * dwell;
      ky += strength * std::sin(turn) * fovMetres * dwell;
    }
    t.shotOffsets.push_back((n + 1) * samples);
  }
  scan->trajectories.push_back(std::move(t));
  return scan;
}

// Signal of a point `aside` (m, along read and phase) from the slice's middle, by the formula.
void measure(Scan& scan, double read, double phase) {
  const Geometry& g = scan.geometry;
  const Trajectory& t = scan.trajectories[0];
  Vec3 r;
  for (std::size_t i = 0; i < 3; ++i)
    r[i] = g.slicePositions[0][i] * 1e-3 + read * g.readDirection[i] + phase * g.phaseDirection[i];
  scan.samples.assign(1, {});
  for (int n = 0; n < shots; ++n) {
    double turns = 0;
    for (int j = 0; j < samples; ++j) {
      const double* const k = t.points.data() + 2 * (n * samples + j);
      if (j > 0) {
        Vec3 gradient;  // T/m
        for (std::size_t i = 0; i < 3; ++i)
          gradient[i] = ((k[0] - k[-2]) * g.readDirection[i] + (k[1] - k[-1]) * g.phaseDirection[i]) /
                        (fovMetres * dwell * 42.577478518e6);
        // |B| - B0 - G.r of a field without sources, to second order: (Bx² + By²) / (2 B0) with
        // Bx = Gx z - Gz x / 2, By = Gy z - Gz y / 2.
        const double bx = gradient[0] * r[2] - gradient[2] * r[0] / 2,
                     by = gradient[1] * r[2] - gradient[2] * r[1] / 2;
        turns += (bx * bx + by * by) / (2 * field) * 42.577478518e6 * dwell;
      }
      const double place = (k[0] * read + k[1] * phase) / fovMetres;
      scan.samples[0].push_back(cfloat(std::polar(1.0, -twoPi * (place + turns))));
    }
  }
}

// Largest difference of the samples' phases to those of the corrected trajectory alone, rad.
double phaseLeft(const Scan& scan, double read, double phase) {
  double most = 0;
  for (int j = 0; j < shots * samples; ++j) {
    const double* const k = scan.trajectories[0].points.data() + 2 * j;
    const double place = (k[0] * read + k[1] * phase) / fovMetres;
    most = std::max(
        most, std::abs(std::arg(cdouble(scan.samples[0][std::size_t(j)]) * std::polar(1.0, twoPi * place))));
  }
  return most;
}

Decisions decisions(const std::string& choice) {
  ReadOptions options;
  options.overrides["concomitant"] = choice;
  return Decisions(options, "Cannot read the test's scan");
}

}  // namespace

class TestConcomitant : public QObject {
  Q_OBJECT

 private slots:
  // The field is uniform in an axial slice: all of it goes.
  void anAxialSliceIsFreeOfIt() {
    const auto scan = spiralScan({}, {15, -20, 90});
    measure(*scan, 0.07, -0.05);
    QVERIFY(phaseLeft(*scan, 0.07, -0.05) > 1);
    Decisions d = decisions("0.5");
    correctConcomitant(*scan, d, {});
    const double left = phaseLeft(*scan, 0.07, -0.05);
    QVERIFY2(left < 2e-4, qPrintable(QString::number(left)));
    QVERIFY(QString::fromStdString(d.made.back().evidence).contains("k is shifted by up to 0 "));
  }

  // Phase and shift of the slice's middle: what is left near it is of second order in the distance.
  void anObliqueSliceIsRightAboutItsMiddle() {
    const double c = std::cos(0.6), s = std::sin(0.6);
    const Directions oblique{{1, 0, 0}, {0, c, s}, {0, -s, c}};
    const auto before = spiralScan(oblique, {10, 30, 80});
    std::vector<double> left;
    for (const double aside : {0.0, 0.02, 0.04}) {
      const auto scan = std::make_shared<Scan>(*before);
      measure(*scan, aside, aside);
      const double whole = phaseLeft(*scan, aside, aside);
      QVERIFY(whole > 0.5);
      Decisions d = decisions("0.5");
      correctConcomitant(*scan, d, {});
      left.push_back(phaseLeft(*scan, aside, aside));
      QVERIFY2(left.back() < 0.25 * whole, qPrintable(QString::number(left.back())));
    }
    QVERIFY(left[0] < 2e-4);
    QVERIFY(left[1] > 1e-3 && std::abs(left[2] / left[1] - 4) < 0.2);
  }

  // Frames that share their points and are at two places have each its own shift of k.
  void framesAtTwoPlacesAreCorrectedAsIfAlone() {
    const double c = std::cos(0.6), s = std::sin(0.6);
    const Directions oblique{{1, 0, 0}, {0, c, s}, {0, -s, c}};
    const Vec3 places[] = {{10, 30, 80}, {-20, 15, 40}};
    std::vector<std::shared_ptr<Scan>> alone;
    for (const Vec3& place : places) {
      alone.push_back(spiralScan(oblique, place));
      measure(*alone.back(), 0.02, 0.02);
    }
    const auto both = std::make_shared<Scan>(*alone[0]);
    both->frames = 2;
    both->samples.push_back(alone[1]->samples[0]);
    both->geometry.frames = {alone[0]->geometry, alone[1]->geometry};
    for (const auto& scan : {alone[0], alone[1], both}) {
      Decisions d = decisions("0.5");
      correctConcomitant(*scan, d, {});
    }
    QVERIFY(alone[0]->trajectories[0].points != alone[1]->trajectories[0].points);
    for (int f = 0; f < 2; ++f) {
      QVERIFY(both->trajectory(f).points == alone[std::size_t(f)]->trajectory(0).points);
      QVERIFY(both->trajectory(f).secondOrder == alone[std::size_t(f)]->trajectory(0).secondOrder);
      QVERIFY(both->samples[std::size_t(f)] == alone[std::size_t(f)]->samples[0]);
    }
  }

  void framesAtOnePlaceShareTheirPoints() {
    const auto scan = spiralScan({}, {15, -20, 90});
    measure(*scan, 0, 0);
    scan->frames = 2;
    scan->samples.push_back(scan->samples[0]);
    Decisions d = decisions("0.5");
    correctConcomitant(*scan, d, {});
    QCOMPARE(scan->trajectories.size(), std::size_t(1));
    QVERIFY(scan->samples[0] == scan->samples[1]);
  }

  void whatItNeedsIsSaid() {
    for (const char* choice : {"strong", "-1", "header"}) {
      const auto scan = spiralScan({}, {0, 0, 50});
      measure(*scan, 0, 0);
      Decisions d = decisions(choice);
      QVERIFY_THROWS_EXCEPTION(Error, correctConcomitant(*scan, d, {}));
    }
    const auto scan = spiralScan({}, {0, 0, 50});
    measure(*scan, 0, 0);
    scan->geometry.nominal = true;
    Decisions d = decisions("1.5");
    QVERIFY_THROWS_EXCEPTION(Error, correctConcomitant(*scan, d, {}));
    Decisions none = decisions("none");
    correctConcomitant(*scan, none, {});
    QCOMPARE(none.made.back().choice, std::string("none"));
  }
};

SPOKELAB_CORE_TEST(TestConcomitant)

}  // namespace test_concomitant

#include "test_concomitant.moc"
