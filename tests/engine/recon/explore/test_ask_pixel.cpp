// A pixel is asked: its point spread is the image of a lone point, a shot's influence what the
// image loses without it, and errors and noise are as large as said.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/explore/noise_maps.h"
#include "engine/recon/explore/pixel/ask_pixel.h"
#include "engine/recon/explore/point_spread.h"
#include "engine/scan/simulate/random_numbers.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_ask_pixel {

using namespace spokelab;
using spokelab::test::relativeDifference;
using spokelab::test::run;

namespace {

constexpr int n = 24, shots = 12;
constexpr double hertz = 2 * std::numbers::pi;
const Index3 asked{15, 9, 0};
const std::size_t place = 9 * n + 15;

std::shared_ptr<Scan> simulated(double noise = 0.01, double fieldHz = 0) {
  SimulateOptions options;
  options.trajectory.pattern = Pattern::radial2d;
  options.trajectory.matrix = {n, n, 1};
  options.trajectory.shots = shots;
  options.trajectory.dwellSeconds = 2e-4;
  options.coils = 3;
  options.noise = noise;
  auto scan = std::make_shared<Scan>(*simulate(options, {}));
  NamedArray maps{"SENSEMap", {options.coils, n, n}, {}, true};
  for (int c = 0; c < options.coils; ++c)
    for (int i = 0; i < n * n; ++i)
      maps.values.push_back(cfloat(std::polar(0.3 + 0.02 * ((c + 1) * (i % n) % 31), 0.1 * c * (i / n))));
  scan->arrays.push_back(maps);
  if (fieldHz != 0) {
    NamedArray map{"FieldMap", {n, n}, {}, false};
    map.values.assign(std::size_t(n * n), cfloat(float(hertz * fieldHz)));
    scan->arrays.push_back(map);
  }
  return scan;
}

// The same scan of a lone point of size 1 at the asked pixel, in a field; the maps are the scan's.
std::shared_ptr<Scan> ofLonePoint(const Scan& scan, double fieldHz) {
  auto point = std::make_shared<Scan>(scan);
  const Trajectory& t = scan.trajectory(0);
  const NamedArray* maps = nullptr;
  for (const NamedArray& array : scan.arrays)
    if (array.name == "SENSEMap") maps = &array;
  for (int c = 0; c < scan.coils; ++c) {
    const cdouble map = maps ? cdouble(maps->values[std::size_t(c) * n * n + place]) : 1.0;
    for (std::size_t j = 0; j < std::size_t(t.samples()); ++j) {
      const double turns =
          (double(asked[0] - n / 2) * t.points[2 * j] + double(asked[1] - n / 2) * t.points[2 * j + 1]) / n;
      point->data(0, 0, c)[j] =
          cfloat(map * std::polar(1.0, -hertz * (turns + fieldHz * (t.times.empty() ? 0 : t.times[j]))));
    }
  }
  point->noise.clear();
  return point;
}

std::vector<double> magnitudes(const Image& image) {
  std::vector<double> sizes;
  for (const cfloat& v : image.data) sizes.push_back(std::abs(cdouble(v)));
  return sizes;
}

ReconOptions exactGridding() {
  ReconOptions options;
  options.exact = true;
  options.density = DensityMethod::analytic;
  options.prewhitening = Prewhitening::off;
  return options;
}

ReconOptions sense() {
  ReconOptions options = test::senseOptions();
  options.density = DensityMethod::analytic;
  options.prewhitening = Prewhitening::off;
  return options;
}

}  // namespace

class TestAskPixel : public QObject {
  Q_OBJECT

  std::unique_ptr<Backend> cpu_ = makeCpuBackend();

  PixelAnswer ask(const Scan& scan, const ReconOptions& options, const Index3& pixel = asked) {
    return askPixel(*cpu_, scan, options, pixel, {});
  }

 private Q_SLOTS:
  // The weights of a radial pattern do not depend on the samples, so that a shot of zeros is one
  // left out with all other weights kept.
  void influenceIsWhatTheImageLoses() {
    const auto scan = simulated();
    const PixelAnswer answer = ask(*scan, exactGridding());
    const double value = std::abs(cdouble(run(*scan, exactGridding()).image->data[place]));
    QVERIFY2(std::abs(answer.value / value - 1) < 1e-5, qPrintable(QString::number(answer.value / value)));
    QCOMPARE(int(answer.shots.size()), shots);
    const Trajectory& t = scan->trajectory(0);
    double weights = 0;
    for (const ShotInfluence& shot : answer.shots) {
      Scan without = *scan;
      for (int c = 0; c < scan->coils; ++c)
        for (std::int64_t j = t.shotOffsets[std::size_t(shot.shot)];
             j < t.shotOffsets[std::size_t(shot.shot) + 1]; ++j)
          without.data(0, 0, c)[j] = 0;
      const double left = std::abs(cdouble(run(without, exactGridding()).image->data[place]));
      QVERIFY2(
          std::abs(shot.magnitude - (left / value - 1)) < 1e-5,
          qPrintable(
              QString("shot %1: %2, image %3").arg(shot.shot).arg(shot.magnitude).arg(left / value - 1)));
      QVERIFY(shot.change >= std::abs(shot.magnitude) - 1e-12);
      weights += shot.weight;
    }
    for (std::size_t s = 1; s < answer.shots.size(); ++s)
      QVERIFY(answer.shots[s - 1].change >= answer.shots[s].change);
    QVERIFY(std::abs(weights - 1) < 1e-9);
  }

  void aSpoiledShotIsFirst() {
    const auto scan = simulated();
    const Trajectory& t = scan->trajectory(0);
    for (int c = 0; c < scan->coils; ++c)
      for (std::int64_t j = t.shotOffsets[5]; j < t.shotOffsets[6]; ++j) scan->data(0, 0, c)[j] *= 20;
    for (const ReconOptions& options : {exactGridding(), sense()})
      QCOMPARE(ask(*scan, options).shots.front().shot, 5);
    QCOMPARE(outstandingShots(ask(*scan, exactGridding())), std::vector<int>{5});
    QVERIFY(outstandingShots(ask(*simulated(), exactGridding())).empty());
    ReconOptions part = exactGridding();
    part.shots = "3-8";
    const PixelAnswer answer = ask(*scan, part);
    QCOMPARE(int(answer.shots.size()), 6);
    QCOMPARE(answer.wholeShots, shots);
    QCOMPARE(answer.shots.front().shot, 5);
    QCOMPARE(shotsWithout(*scan, part, {5, 11}), std::string("3-4,6-8"));
    QVERIFY_EXCEPTION_THROWN(shotsWithout(*scan, part, {3, 4, 5, 6, 7, 8}), Error);
  }

  void spreadOfGriddingIsTheImageOfAPoint_data() {
    QTest::addColumn<double>("field");
    QTest::newRow("no field") << 0.0;
    QTest::newRow("100 Hz") << 100.0;
  }
  void spreadOfGriddingIsTheImageOfAPoint() {
    QFETCH(double, field);
    const auto scan = simulated(0.01, field);
    const PixelAnswer answer = ask(*scan, exactGridding());
    QVERIFY(!answer.isReconstructed);
    QVERIFY(std::abs(answer.fieldHz - field) < 1e-3);
    ReconOptions oneCoil = exactGridding();
    oneCoil.coils = "0";
    Scan bare = *scan;
    bare.arrays.clear();
    const auto image = run(*ofLonePoint(bare, field), oneCoil).image;
    QVERIFY(relativeDifference(magnitudes(answer.spread), magnitudes(*image)) < 1e-4);
    QVERIFY(std::abs(answer.stays - magnitudes(*image)[place]) < 1e-4);
    if (field != 0) QVERIFY(answer.stays < 0.9 * ask(*simulated(), exactGridding()).stays);
  }

  void mainLobeIsThatOfTheTrajectory() {
    const auto scan = simulated();
    const PixelAnswer answer = ask(*scan, exactGridding(), {n / 2, n / 2, 0});
    const ScanSpread whole = scanPointSpread(*scan, exactGridding(), *cpu_, {});
    QVERIFY(std::abs(answer.stays - whole.spread.peak) < 1e-4);
    for (std::size_t d = 0; d < 2; ++d)
      QVERIFY2(std::abs(answer.fwhm[d] - whole.spread.fwhm[d]) < 0.05,
               qPrintable(QString("%1, exact %2").arg(answer.fwhm[d]).arg(whole.spread.fwhm[d])));
  }

  void spreadOfSenseIsTheReconstructionOfAPoint_data() { spreadOfGriddingIsTheImageOfAPoint_data(); }
  void spreadOfSenseIsTheReconstructionOfAPoint() {
    QFETCH(double, field);
    const auto scan = simulated(0.01, field);
    ReconOptions options = sense();
    if (field != 0) options.iterative.transform = TransformKind::gdft;
    const PixelAnswer answer = ask(*scan, options);
    QVERIFY(answer.isReconstructed);
    QVERIFY(answer.coilSize > 0);
    const auto image = run(*ofLonePoint(*scan, field), options).image;
    QVERIFY(relativeDifference(answer.spread.data, image->data) < 1e-4);
    QCOMPARE(answer.largestAt, (Vec3{0, 0, 0}));
    // Spokes cover a disc, pi / 4 of the square.
    QVERIFY2(std::abs(answer.stays - 0.785) < 0.08, qPrintable(QString::number(answer.stays)));
    if (field == 0) return;
    // A transform that does not know the field leaves more of the point elsewhere.
    options.iterative.transform = TransformKind::nufft;
    const PixelAnswer plain = ask(*scan, options);
    QVERIFY(plain.stays < answer.stays);
    QVERIFY(std::abs(plain.fieldHz - field) < 1e-3);
  }

  void methodsThatAreNotLinearSaySo() {
    ReconOptions options = sense();
    options.iterative.solver.regularization = Regularization::totalVariation;
    options.iterative.solver.lambda = 0.01;
    const PixelAnswer answer = ask(*simulated(), options);
    QVERIFY(std::any_of(answer.notes.begin(), answer.notes.end(), [](const std::string& note) {
      return note.find("not linear") != std::string::npos;
    }));
  }

  // Over drawn samples, so that their phases are random.
  void errorIsAsLargeAsPredicted() {
    ReconOptions options;
    options.density = DensityMethod::analytic;
    options.prewhitening = Prewhitening::off;
    options.nufft.alpha = 1.25;
    options.nufft.width = 3;
    options.nufft.accuracy = 0.1;
    ReconOptions exact = options;
    exact.exact = true;
    options.combination = exact.combination = Combination::none;
    constexpr int draws = 40;
    for (const Index3 pixel : {Index3{1, 2, 0}, Index3{n / 2, n / 2, 0}}) {
      double square = 0, predicted = 0;
      for (int draw = 0; draw < draws; ++draw) {
        const auto scan = simulated(0);
        Buffer<cfloat>& values = scan->samples.front();
        for (std::size_t j = 0; j < values.size(); ++j)
          values[j] = cfloat(complexNormal(std::uint64_t(draw + 1), j));
        const auto a = run(*scan, options).image, b = run(*scan, exact).image;
        for (int c = 0; c < scan->coils; ++c) {
          const std::size_t at = std::size_t((c * n + pixel[1]) * n + pixel[0]);
          square += std::norm(cdouble(a->data[at]) - cdouble(b->data[at]));
        }
        const double error = ask(*scan, options, pixel).transformError;
        predicted += error * error;
      }
      const double ratio = std::sqrt(square / predicted);
      QVERIFY2(ratio > 0.7 && ratio < 1.4, qPrintable(QString("measured / predicted %1").arg(ratio)));
    }
    QCOMPARE(ask(*simulated(), exact).transformError, 0.0);
  }

  void noiseIsThatOfReplicas() {
    const auto scan = simulated(0.05);
    QVERIFY(!scan->noise.empty());
    ReconOptions options;
    options.density = DensityMethod::analytic;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    NoiseMapOptions replicas;
    replicas.replicas = 300;
    const NoiseMaps maps =
        noiseMaps(*scan, options, replicas,
                  [](const Scan& s, const ReconOptions& o, const Progress&) { return run(s, o); }, {});
    const PixelAnswer answer = ask(*scan, options);
    const double ratio = answer.noise / double(maps.noise->data[place].real());
    QVERIFY2(std::abs(ratio - 1) < 4 * maps.relativeError, qPrintable(QString::number(ratio)));
  }

  void answersInWords() {
    const auto rows = describe(ask(*simulated(0.01, 30), exactGridding()), 2);
    const auto has = [&](const char* title) {
      return std::any_of(rows.begin(), rows.end(), [&](const auto& row) { return row.first == title; });
    };
    for (const char* title : {"value", "field", "point spread", "side lobe", "noise"})
      QVERIFY2(has(title), title);
    QVERIFY(!has("predicted error"));  // exact sums
  }

  void refusesPixelsOutside() {
    const auto scan = simulated();
    for (const Index3& pixel : {Index3{n, 0, 0}, Index3{0, -1, 0}, Index3{0, 0, 1}})
      QVERIFY_EXCEPTION_THROWN(ask(*scan, exactGridding(), pixel), Error);
  }
};

SPOKELAB_TEST(TestAskPixel)

}  // namespace test_ask_pixel

#include "test_ask_pixel.moc"
