// Off-resonant samples are the closed form where the field is uniform or a gradient; bars and truth
// images are what they say.
#include <QtTest>

#include <cmath>
#include <numbers>
#include <set>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "engine/scan/simulate/simulate_options.h"
#include "engine/scan/simulate/truth_image.h"
#include "tests/test_main.h"

namespace test_off_resonance {

using namespace spokelab;

namespace {

constexpr double pi = std::numbers::pi;

// ||a - b|| / ||b||
double difference(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double d = 0, n = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    d += std::norm(a[i] - b[i]);
    n += std::norm(b[i]);
  }
  return std::sqrt(d / n);
}

double difference(const Image& a, const Image& b) {
  return difference({a.data.begin(), a.data.end()}, {b.data.begin(), b.data.end()});
}

SimulateOptions options(Pattern pattern, Index3 matrix) {
  SimulateOptions o;
  o.trajectory.pattern = pattern;
  o.trajectory.matrix = matrix;
  o.trajectory.acceleration = 4;
  return o;
}

}  // namespace

class TestOffResonance : public QObject {
  Q_OBJECT

 private slots:
  void aGradientShiftsKspace_data() {
    QTest::addColumn<int>("dims");
    QTest::newRow("2-D") << 2;
    QTest::newRow("3-D") << 3;
  }
  // Along x the phase 2 pi (2 peak) x t adds 2 peak t to kx: the closed form there, coil by coil.
  void aGradientShiftsKspace() {
    QFETCH(int, dims);
    SimulateOptions o = options(dims == 3 ? Pattern::goldenRadial3d : Pattern::spiral2d,
                                dims == 3 ? Index3{16, 16, 16} : Index3{48, 48, 1});
    if (dims == 3) o.trajectory.acceleration = 16;
    o.trajectory.startSeconds = 1e-3;
    o.coils = 2;
    o.offResonance = {FieldShape::linear, 300};
    const auto scan = simulate(o, {});
    Phantom phantom = sheppLogan(dims);
    phantom.coils = modelCoils(dims, 2);
    const Trajectory& t = scan->trajectories[0];
    for (int coil = 0; coil < 2; ++coil) {
      std::vector<cdouble> found, expected, unshifted;
      for (std::int64_t j = 0; j < t.samples(); ++j) {
        std::vector<double> k(t.points.begin() + j * dims, t.points.begin() + (j + 1) * dims);
        const double scale = double(product(scan->geometry.matrix));
        unshifted.push_back(scale * phantomKspace(phantom, coil, k.data()));
        k[0] += 2 * 300 * t.times[std::size_t(j)];
        expected.push_back(scale * phantomKspace(phantom, coil, k.data()));
        found.push_back(cdouble(scan->data(0, 0, coil)[j]));
      }
      const double error = difference(found, expected);
      QVERIFY2(error < (dims == 3 ? 0.03 : 0.015), qPrintable(QString::number(error)));
      QVERIFY(difference(found, unshifted) > 0.3);
    }
  }

  // Each echo begins at its time: the shift along kx grows with it.
  void echoesBeginAtTheirTimes() {
    SimulateOptions o = options(Pattern::spiral2d, {32, 32, 1});
    o.offResonance = {FieldShape::linear, 150};
    o.echoTimes = {1e-3, 3.5e-3};
    o.frames = 2;
    const auto scan = simulate(o, {});
    QCOMPARE(scan->frames, 4);
    QCOMPARE(scan->frameAxes.text(3), std::string("time 2 of 2; echo 2 of 2, TE 3.5 ms"));
    const Phantom phantom = makePhantom(o.phantom, 2);
    const Trajectory& t = scan->trajectories[0];
    for (int frame = 0; frame < 4; ++frame) {
      std::vector<cdouble> found, expected;
      for (std::int64_t j = 0; j < t.samples(); ++j) {
        const double seconds = o.echoTimes[std::size_t(frame % 2)] + t.times[std::size_t(j)];
        const double k[] = {t.points[std::size_t(2 * j)] + 2 * 150 * seconds,
                            t.points[std::size_t(2 * j + 1)]};
        expected.push_back(32.0 * 32.0 * phantomKspace(phantom, 0, k));
        found.push_back(cdouble(scan->data(frame, 0, 0)[j]));
      }
      const double error = difference(found, expected);
      QVERIFY2(error < 0.03, qPrintable(QString::number(error)));  // of the grid, coarse here
    }
  }

  // Against sums over a grid eight times as fine as the image.
  void theSignalDecays() {
    constexpr int fine = 256;
    SimulateOptions o = options(Pattern::spiral2d, {32, 32, 1});
    o.offResonance.decay = 60;
    o.echoTimes = {12e-3};
    const auto scan = simulate(o, {});
    const Phantom phantom = makePhantom(o.phantom, 2);
    const Trajectory& t = scan->trajectories[0];
    std::vector<cdouble> found, expected;
    for (std::int64_t j = 0; j < t.samples(); j += 97) {
      const double seconds = 12e-3 + t.times[std::size_t(j)];
      cdouble sum = 0;
      for (int iy = 0; iy < fine; ++iy)
        for (int ix = 0; ix < fine; ++ix) {
          const Vec3 r{(ix + 0.5) / fine - 0.5, (iy + 0.5) / fine - 0.5, 0};
          cdouble value = 0;
          for (const PhantomShape& shape : phantom.shapes)
            if (isInside(shape, 2, r)) value += shape.value;
          const double rate = 60 * (0.75 - 0.5 * r[1]);
          const double turns = t.points[std::size_t(2 * j)] * r[0] + t.points[std::size_t(2 * j + 1)] * r[1];
          sum += value * std::exp(-rate * seconds) * std::polar(1.0, -2 * pi * turns);
        }
      expected.push_back(sum * (32.0 * 32.0 / fine / fine));
      found.push_back(cdouble(scan->data(0, 0, 0)[j]));
    }
    const double error = difference(found, expected);
    QVERIFY2(error < 0.015, qPrintable(QString::number(error)));
  }

  void timesSurviveTheFile() {
    for (Pattern pattern : {Pattern::spiral2d, Pattern::goldenRadial3d})
      for (bool weights : {false, true}) {
        SimulateOptions o = options(pattern, {16, 16, 0});
        o.trajectory.startSeconds = 2e-3;
        const auto scan = simulate(o, {});
        QTemporaryDir folder;
        const auto file = std::filesystem::path(folder.filePath("times.h5").toStdString());
        if (weights && scan->dims() == 3) {
          QVERIFY_EXCEPTION_THROWN(writeScan(*scan, file, {}, true), Error);
          continue;
        }
        writeScan(*scan, file, {}, weights);
        const auto back = readScan(file, {}, {});
        QCOMPARE(back->dims(), scan->dims());
        QCOMPARE(!back->trajectories[0].weights.empty(), weights);
        QCOMPARE(back->trajectories[0].times.size(), scan->trajectories[0].times.size());
        for (std::size_t j = 0; j < scan->trajectories[0].times.size(); ++j)
          QVERIFY(std::abs(back->trajectories[0].times[j] - scan->trajectories[0].times[j]) < 1e-8);
      }
  }

  void noFieldIsTheClosedForm() {
    const Phantom phantom = barPhantom(2);
    const OffResonantSums sums(phantom, {64, 64, 1}, {FieldShape::head, 0}, {Vec3{0, 0, 0}});
    std::vector<cdouble> found, expected;
    for (int i = 0; i < 500; ++i) {
      const double r = 32.0 * i / 500, k[2] = {r * std::cos(0.7 * i), r * std::sin(0.7 * i)};
      found.emplace_back();
      sums.evaluate(k, 0.01, &found.back(), {});
      expected.push_back(phantomKspace(phantom, 0, k));
    }
    const double error = difference(found, expected);
    QVERIFY2(error < 0.01, qPrintable(QString::number(error)));
  }

  void fieldsAreWhatTheirNamesSay() {
    QCOMPARE(fieldAt({FieldShape::none, 100}, {0.2, 0.1, 0}, 2), 0.0);
    QVERIFY(std::abs(fieldAt({FieldShape::linear, 100}, {0.5, 0.3, 0}, 2) - 2 * pi * 100) < 1e-9);
    QVERIFY(std::abs(fieldAt({FieldShape::quadratic, 100}, {0, 0.5, 0}, 2) - 2 * pi * 100) < 1e-9);
    const Image map = fieldImage({FieldShape::head, 100}, {32, 32, 1});
    float most = 0;
    for (const cfloat& v : map.data) most = std::max(most, v.real());
    QVERIFY(most > 0.8 * 2 * pi * 100 && most < 1.2 * 2 * pi * 100);
    QCOMPARE(map.data[std::size_t(8 * 32 + 20)].real(),
             float(fieldAt({FieldShape::head, 100}, {4.0 / 32, -8.0 / 32, 0}, 2)));
  }

  void boxesHaveTheirClosedForm() {
    Phantom phantom;
    phantom.dims = 3;
    PhantomShape box;
    box.kind = ShapeKind::box;
    box.centre = {0.05, -0.1, 0.02};
    box.semiAxes = {0.1, 0.2, 0.15};
    box.angle = 0.4;
    box.value = {0.5, 0.25};
    phantom.shapes = {box};
    const double zero[3] = {0, 0, 0};
    QVERIFY(std::abs(phantomKspace(phantom, -1, zero) - box.value * 8.0 * 0.1 * 0.2 * 0.15) < 1e-12);
    // Against a midpoint sum over the box, in its own axes.
    const double k[3] = {2.3, -1.7, 0.9};
    cdouble sum = 0;
    constexpr int n = 60;
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b)
        for (int c = 0; c < n; ++c) {
          const double u = 0.1 * ((2 * a + 1.0) / n - 1), v = 0.2 * ((2 * b + 1.0) / n - 1),
                       w = 0.15 * ((2 * c + 1.0) / n - 1);
          const double x = box.centre[0] + std::cos(0.4) * u - std::sin(0.4) * v,
                       y = box.centre[1] + std::sin(0.4) * u + std::cos(0.4) * v, z = box.centre[2] + w;
          sum += std::polar(1.0, -2 * pi * (k[0] * x + k[1] * y + k[2] * z));
        }
    sum *= box.value * 8.0 * 0.1 * 0.2 * 0.15 / double(n * n * n);
    QVERIFY(std::abs(phantomKspace(phantom, -1, k) - sum) < 1e-6);
    QVERIFY(isInside(box, 3, box.centre));
    QVERIFY(!isInside(box, 3, {0.05 + 0.11, -0.1, 0.02}));
  }

  void barsAreResolvedAsTheMatrixAllows() {
    // Across the widest group of the upper row (period FOV/24) contrast is there at 96 pixels; the
    // finest (period FOV/128) needs 256.
    const auto contrast = [](std::int64_t n, double from, double to) {
      const Image image = truthImage(barPhantom(2), {n, n, 1}, TruthKind::band, {});
      double low = HUGE_VAL, high = 0;
      const auto row = n / 2 + std::int64_t(std::lround(0.17 * double(n)));
      for (auto x = std::int64_t(std::ceil((from + 0.5) * double(n)));
           x <= std::int64_t((to + 0.5) * double(n)); ++x) {
        const double v = std::abs(image.data[std::size_t(row * n + x)]);
        low = std::min(low, v);
        high = std::max(high, v);
      }
      return high - low;
    };
    QVERIFY(contrast(96, -0.34, -0.2) > 0.4);
    QVERIFY2(contrast(96, 0.295, 0.323) < 0.3, qPrintable(QString::number(contrast(96, 0.295, 0.323))));
    QVERIFY2(contrast(288, 0.295, 0.323) > 0.4, qPrintable(QString::number(contrast(288, 0.295, 0.323))));
  }

  void truthsAgreeUpToTheirBand() {
    for (int dims : {2, 3}) {
      const Index3 matrix = dims == 3 ? Index3{24, 20, 17} : Index3{64, 63, 1};
      const Phantom phantom = sheppLogan(dims);
      const Image points = truthImage(phantom, matrix, TruthKind::points, {}),
                  band = truthImage(phantom, matrix, TruthKind::band, {}),
                  ball = truthImage(phantom, matrix, TruthKind::ball, {});
      QVERIFY2(difference(band, points) < (dims == 3 ? 0.7 : 0.4),
               qPrintable(QString::number(difference(band, points))));
      const double corners = difference(ball, band);
      QVERIFY2(corners > 0.005 && corners < 0.35, qPrintable(QString::number(corners)));
      // The band's own k-space is the closed form: here at k = (1, -1, 0).
      cdouble sum = 0;
      for (std::int64_t i = 0; i < band.volume(); ++i) {
        const double x = double(i % matrix[0] - matrix[0] / 2) / double(matrix[0]),
                     y = double(i / matrix[0] % matrix[1] - matrix[1] / 2) / double(matrix[1]);
        sum += cdouble(band.data[std::size_t(i)]) * std::polar(1.0, -2 * pi * (x - y));
      }
      const double k[3] = {1, -1, 0};
      QVERIFY(std::abs(sum / double(band.volume()) - phantomKspace(phantom, -1, k)) < 1e-6);
    }
  }

  void anOffResonantScanHoldsItsFieldMap() {
    SimulateOptions o = options(Pattern::spiral2d, {24, 24, 1});
    QVERIFY(simulate(o, {})->arrays.empty());
    o.offResonance = {FieldShape::head, 80};
    const auto scan = simulate(o, {});
    QCOMPARE(scan->arrays.size(), std::size_t(1));
    QCOMPARE(scan->arrays.front().name, std::string("FieldMap"));
    const Image field = fieldImage(o.offResonance, {24, 24, 1});
    QVERIFY(std::equal(field.data.begin(), field.data.end(), scan->arrays.front().values.begin(),
                       scan->arrays.front().values.end()));
  }

  // In steps that a user sees, on many threads as well.
  void aSimulationTellsItsProgress() {
    SimulateOptions o = options(Pattern::goldenRadial3d, {64, 64, 64});
    o.coils = 2;
    std::set<int> told;  // percent
    simulate(o, Progress({}, [&](double fraction, const std::string&) { told.insert(int(100 * fraction)); }));
    QVERIFY2(told.size() > 6, qPrintable(QString::number(told.size())));
  }

  void noiseOfNeighboursIsCorrelatedAsAsked() {
    SimulateOptions o = options(Pattern::radial2d, {64, 64, 1});
    o.coils = 4;
    const auto clean = simulate(o, {});
    o.noise = 0.1;
    o.noiseCorrelation = 0.6;
    const auto noisy = simulate(o, {});
    const std::int64_t samples = clean->trajectories[0].samples();
    for (int distance = 0; distance < 3; ++distance) {
      cdouble product = 0;
      double power = 0;
      for (std::int64_t j = 0; j < samples; ++j) {
        const cdouble a = noisy->data(0, 0, 0)[j] - clean->data(0, 0, 0)[j];
        const cdouble b = noisy->data(0, 0, distance)[j] - clean->data(0, 0, distance)[j];
        product += a * std::conj(b);
        power += std::norm(a);
      }
      QVERIFY(std::abs(product / power - std::pow(0.6, distance)) < 0.06);
    }
  }
};

SPOKELAB_TEST(TestOffResonance)

}  // namespace test_off_resonance

#include "test_off_resonance.moc"
