// Phases of second order (concomitant fields) in exact sums, in segments and in a reconstruction:
// against sums of r^T S r over all pixels, for an oblique slice and for a volume.
#include <QtTest>
#include <cmath>
#include <numbers>
#include <random>

#include "engine/core/error.h"
#include "engine/nufft/plan/plan.h"
#include "engine/recon/field/gdft/gdft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/field/second_order.h"
#include "engine/recon/field/segment_forms.h"
#include "engine/scan/read/correct/concomitant.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_phase_forms {

using namespace spokelab;
using test::relativeDifference;

namespace {

constexpr double twoPi = 2 * std::numbers::pi, fieldTesla = 0.5, fovMm = 240, dwell = 10e-6;
constexpr int samplesOfShot = 300;

const Directions oblique{{std::cos(0.5), 0, std::sin(0.5)},
                         {-std::sin(0.5) * std::sin(0.4), std::cos(0.4), std::cos(0.5) * std::sin(0.4)},
                         {-std::sin(0.5) * std::cos(0.4), -std::sin(0.4), std::cos(0.5) * std::cos(0.4)}};

// Arms that leave the centre in all directions and turn twice, at up to 25 mT/m.
std::shared_ptr<Scan> armScan(int dims, std::int64_t size, int shots) {
  auto scan = std::make_shared<Scan>();
  Geometry& g = scan->geometry;
  g.matrix = {size, size, dims == 3 ? size : 1};
  g.fov = {fovMm, fovMm, dims == 3 ? fovMm : 5};
  g.setDirections(oblique);
  g.slicePositions = {{20, -30, 60}};
  Trajectory t;
  t.dims = dims;
  for (int n = 0; n < shots; ++n) {
    Vec3 k{};
    for (int j = 0; j < samplesOfShot; ++j) {
      const double part = double(j) / samplesOfShot, turn = twoPi * (2 * part + double(n) / shots);
      t.points.insert(t.points.end(), k.begin(), k.begin() + dims);
      t.times.push_back(j * dwell);
      const double rise = dims == 3 ? std::cos(2.4 * n) : 0, level = std::sqrt(1 - rise * rise);
      const double reach = double(size) / 2 * 1.9;  // of a turn, cycles/FOV
      k[0] += reach / samplesOfShot * level * (std::cos(turn) - 1.5 * part * std::sin(turn));
      k[1] += reach / samplesOfShot * level * (std::sin(turn) + 1.5 * part * std::cos(turn));
      k[2] += reach / samplesOfShot * rise / 2;
    }
    t.shotOffsets.push_back(std::int64_t(n + 1) * samplesOfShot);
  }
  double most = 0;
  for (const double k : t.points) most = std::max(most, std::abs(k));
  for (double& k : t.points) k *= double(size) / 2 / most;
  scan->trajectories.push_back(std::move(t));
  return scan;
}

// S about the middle, as the reader keeps it, made so large that phases reach 5 rad.
void keepForms(Scan& scan) {
  Trajectory& t = scan.trajectories.front();
  for (std::int64_t n = 0; n < t.shots(); ++n) {
    const auto first = std::size_t(t.shotOffsets[std::size_t(n)]);
    const auto forms = concomitantForms(t.points.data() + first * std::size_t(t.dims), t.times.data() + first,
                                        samplesOfShot, t.dims, scan.geometry, oblique, fieldTesla);
    t.secondOrder.insert(t.secondOrder.end(), forms.begin(), forms.end());
  }
  const double factor = 5 / largestPhase(secondOrderForms(t, scan.geometry, 0));
  for (SecondOrder& s : t.secondOrder) s = {s.xx * factor, s.zz * factor, s.xz * factor, s.yz * factor};
}

// Place of a pixel from the middle: along the image's axes in FOV units, and in the patient's, m.
struct PixelPlace {
  Vec3 inFov{}, metres{};
};
PixelPlace placeOf(const Geometry& g, int dims, std::int64_t pixel) {
  const std::int64_t index[] = {pixel % g.matrix[0], pixel / g.matrix[0] % g.matrix[1],
                                pixel / g.matrix[0] / g.matrix[1]};
  const Vec3* const axes[] = {&g.readDirection, &g.phaseDirection, &g.sliceDirection};
  PixelPlace p;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) {
    p.inFov[d] = double(index[d] - g.matrix[d] / 2) / double(g.matrix[d]);
    for (std::size_t i = 0; i < 3; ++i) p.metres[i] += p.inFov[d] * g.fov[d] * 1e-3 * (*axes[d])[i];
  }
  return p;
}

// sum_n m_n e^{-i (2 pi (k_j . r_n + r_n^T S_j r_n) + dw_n t_j)}, term by term.
std::vector<cdouble> bruteForce(const Scan& scan, const std::vector<cdouble>& image,
                                const std::vector<double>& field) {
  const Trajectory& t = scan.trajectories.front();
  std::vector<cdouble> sums(std::size_t(t.samples()));
  std::vector<PixelPlace> places;
  for (std::size_t n = 0; n < image.size(); ++n)
    places.push_back(placeOf(scan.geometry, t.dims, std::int64_t(n)));
  for (std::size_t j = 0; j < sums.size(); ++j)
    for (std::size_t n = 0; n < image.size(); ++n) {
      double turns = t.secondOrder.empty() ? 0 : t.secondOrder[j].at(places[n].metres);
      for (std::size_t d = 0; d < std::size_t(t.dims); ++d)
        turns += t.points[j * std::size_t(t.dims) + d] * places[n].inFov[d];
      sums[j] += image[n] * std::polar(1.0, -twoPi * turns - (field.empty() ? 0 : field[n] * t.times[j]));
    }
  return sums;
}

GdftProblem exactProblem(const Scan& scan, const std::vector<double>& field) {
  GdftProblem p;
  p.dims = scan.dims();
  p.matrix = scan.geometry.matrix;
  p.points = scan.trajectories.front().points;
  p.field = field;
  if (!field.empty()) p.times = scan.trajectories.front().times;
  p.forms = secondOrderForms(scan.trajectories.front(), scan.geometry, 0);
  return p;
}

std::vector<cdouble> randomValues(std::int64_t count, unsigned seed) {
  std::mt19937 random(seed);
  std::normal_distribution<float> normal;
  std::vector<cdouble> values(static_cast<std::size_t>(count));
  for (cdouble& v : values) v = cdouble(normal(random), normal(random));
  return values;
}

std::vector<double> smoothField(std::int64_t pixels, double hertz) {
  std::vector<double> field;
  for (std::int64_t i = 0; i < pixels; ++i)
    field.push_back(twoPi * hertz * std::sin(6.0 * double(i) / double(pixels)));
  return field;
}

template <class Real>
double errorOfSums(const GdftProblem& p, const std::vector<cdouble>& image,
                   const std::vector<cdouble>& truth) {
  const std::vector<std::complex<Real>> in(image.begin(), image.end());
  std::vector<std::complex<Real>> out(truth.size());
  makeCpuGdft<Real>(p)->forward(in.data(), out.data(), 1);
  return relativeDifference(out, truth);
}

void cases() {
  QTest::addColumn<int>("dims");
  QTest::addColumn<int>("size");
  QTest::addColumn<double>("hertz");
  QTest::newRow("oblique slice") << 2 << 24 << 0.0;
  QTest::newRow("oblique slice with a field") << 2 << 24 << 100.0;
  QTest::newRow("volume") << 3 << 10 << 0.0;
  QTest::newRow("volume with a field") << 3 << 10 << 100.0;
}

}  // namespace

class TestPhaseForms : public QObject {
  Q_OBJECT

 private slots:
  void exactSumsHoldThem_data() { cases(); }
  void exactSumsHoldThem() {
    QFETCH(int, dims);
    QFETCH(int, size);
    QFETCH(double, hertz);
    const auto scan = armScan(dims, size, 6);
    keepForms(*scan);
    const std::int64_t pixels = product(scan->geometry.matrix);
    const std::vector<double> field = hertz > 0 ? smoothField(pixels, hertz) : std::vector<double>{};
    const GdftProblem p = exactProblem(*scan, field);
    QCOMPARE(p.forms.count, std::int64_t(4));
    QVERIFY2(largestPhase(p.forms) > 3, QByteArray::number(largestPhase(p.forms)));
    const std::vector<cdouble> image = randomValues(pixels, 1), truth = bruteForce(*scan, image, field);
    const double direct = relativeDifference(gdftDirect(p, image), truth),
                 inDouble = errorOfSums<double>(p, image, truth),
                 inFloat = errorOfSums<float>(p, image, truth);
    QVERIFY2(direct < 1e-12 && inDouble < 1e-11 && inFloat < 1e-5,
             qPrintable(QString("%1 %2 %3").arg(direct).arg(inDouble).arg(inFloat)));
    GdftProblem without = p;
    without.forms = {};
    QVERIFY(errorOfSums<double>(without, image, truth) > 0.1);

    const std::vector<cdouble> y = randomValues(p.samples(), 2);
    std::vector<cdouble> back(image.size());
    makeCpuGdft<double>(p)->adjoint(y.data(), back.data(), 1);
    cdouble first = 0, second = 0;
    for (std::size_t j = 0; j < y.size(); ++j) first += std::conj(y[j]) * truth[j];
    for (std::size_t n = 0; n < image.size(); ++n) second += std::conj(back[n]) * image[n];
    QVERIFY(std::abs(first - second) < 1e-10 * std::abs(first));
  }

  void segmentsMeetTheAccuracy_data() { cases(); }
  void segmentsMeetTheAccuracy() {
    QFETCH(int, dims);
    QFETCH(int, size);
    QFETCH(double, hertz);
    const auto scan = armScan(dims, size, 6);
    keepForms(*scan);
    const std::int64_t pixels = product(scan->geometry.matrix);
    const std::vector<double> field = hertz > 0 ? smoothField(pixels, hertz) : std::vector<double>{};
    const GdftProblem p = exactProblem(*scan, field);
    const std::vector<cdouble> image = randomValues(pixels, 3), truth = bruteForce(*scan, image, field);
    std::int64_t before = 0;
    for (const double accuracy : {1e-2, 1e-3, 1e-5}) {
      HostSpace<double> space(0);
      std::vector<std::string> notes;
      const auto makeNufft = [&](std::int64_t batch) {
        NufftProblem nufft;
        nufft.dims = dims;
        nufft.size = p.matrix;
        nufft.batch = batch;
        nufft.precision = Precision::double64;
        NufftOptions options;
        options.accuracy = accuracy / 2;
        std::vector<double> points = p.points;
        for (std::size_t i = 0; i < points.size(); ++i) points[i] /= double(p.matrix[i % std::size_t(dims)]);
        return std::make_unique<NufftTransform<double>>(makeCpuNufftDouble(nufft, options), points);
      };
      const auto transform = makeSegmented<HostSpace<double>>(space, p, SegmentInterpolator::svd, 0, accuracy,
                                                              makeNufft, notes, {});
      std::vector<cdouble> out(truth.size());
      transform->forward(image.data(), out.data(), 1, {}, {});
      const double error = relativeDifference(out, truth);
      QVERIFY2(error <= 1.2 * accuracy && notes.empty(),
               qPrintable(QString("%1 with %2 segments").arg(error).arg(transform->segments())));
      QVERIFY2(transform->segments() > before && transform->segments() < 60,
               QByteArray::number(transform->segments()));
      before = transform->segments();
    }
  }

  void anAxialSliceHasNone() {
    const auto scan = armScan(2, 16, 4);
    scan->geometry.setDirections({});
    Trajectory& t = scan->trajectories.front();
    t.secondOrder = concomitantForms(t.points.data(), t.times.data(), std::size_t(t.samples()), 2,
                                     scan->geometry, {}, fieldTesla);
    QVERIFY(secondOrderForms(t, scan->geometry, 0).empty());
  }

  // The samples of an object off centre, measured with concomitant fields: the reader's correction
  // and the model together give the image that samples without these fields give.
  void theImageIsRight() {
    const auto plain = armScan(2, 32, 24);
    const std::int64_t pixels = product(plain->geometry.matrix);
    std::vector<cdouble> object(static_cast<std::size_t>(pixels));
    for (std::int64_t i = 0; i < pixels; ++i) {
      const double x = double(i % 32 - 16) / 16, y = double(i / 32 - 16) / 16;
      object[std::size_t(i)] =
          (x * x + y * y < 0.7) + ((std::abs(x - 0.3) < 0.2 && std::abs(y) < 0.4) ? 1.0 : 0.0);
    }
    const auto measured = std::make_shared<Scan>(*plain);
    const std::vector<cdouble> clean = bruteForce(*plain, object, {});
    plain->samples.emplace_back(clean.begin(), clean.end());
    // About the isocentre, in a field of 0.0125 T.
    constexpr double weakTesla = fieldTesla / 40;
    Trajectory& t = measured->trajectories.front();
    std::vector<cdouble> disturbed(clean.size());
    for (std::int64_t n = 0; n < t.shots(); ++n) {
      const auto first = std::size_t(t.shotOffsets[std::size_t(n)]);
      const auto forms = concomitantForms(t.points.data() + first * 2, t.times.data() + first, samplesOfShot,
                                          2, measured->geometry, oblique, weakTesla);
      for (std::size_t j = 0; j < samplesOfShot; ++j)
        for (std::size_t i = 0; i < object.size(); ++i) {
          const PixelPlace place = placeOf(measured->geometry, 2, std::int64_t(i));
          Vec3 r = place.metres;
          for (std::size_t d = 0; d < 3; ++d) r[d] += measured->geometry.slicePositions[0][d] * 1e-3;
          const double turns = t.points[2 * (first + j)] * place.inFov[0] +
                               t.points[2 * (first + j) + 1] * place.inFov[1] + forms[j].at(r);
          disturbed[first + j] += object[i] * std::polar(1.0, -twoPi * turns);
        }
    }
    measured->samples.emplace_back(disturbed.begin(), disturbed.end());
    ReadOptions reading;
    reading.overrides["concomitant"] = "0.0125";
    Decisions d(reading, "Cannot read the test's scan");
    correctConcomitant(*measured, d, {});
    QCOMPARE(t.secondOrder.size(), std::size_t(t.samples()));
    QVERIFY(QString::fromStdString(d.made.back().evidence).contains("methods that iterate"));

    ReconOptions options = test::senseOptions();
    options.iterative.solver.iterations = 20;
    options.effort = TuneEffort::estimate;
    const Image wanted = *test::run(*plain, options).image;
    const auto errorOf = [&](TransformKind kind) {
      options.iterative.transform = kind;
      return relativeDifference(test::run(*measured, options).image->data, wanted.data);
    };
    const double ignored = errorOf(TransformKind::nufft), segmented = errorOf(TransformKind::segmented),
                 exact = errorOf(TransformKind::gdft), chosen = errorOf(TransformKind::automatic);
    QVERIFY2(ignored > 0.05 && segmented < 0.02 && exact < 0.02 && chosen < 0.02,
             qPrintable(QString("%1, %2, %3, %4").arg(ignored).arg(segmented).arg(exact).arg(chosen)));
  }
};

SPOKELAB_CORE_TEST(TestPhaseForms)

}  // namespace test_phase_forms

#include "test_phase_forms.moc"
