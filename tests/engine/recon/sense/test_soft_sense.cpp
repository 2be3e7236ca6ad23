// SENSE with two sets of coil maps: operator, solver, estimated maps of an object that reaches beyond
// the field of view, maps of a file, refusals.
#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/operators/sense_operator.h"
#include "engine/recon/options/options.h"
#include "engine/recon/sense/sense_groups.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/simulate/phantom_models.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_soft_sense {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int side = 24, coils = 5, samples = 1500;
constexpr std::size_t pixels = std::size_t(side) * side;

// Two smooth images that overlap, each seen through maps of its own, at random points by exact sums.
struct TwoImages {
  SenseProblem problem;
  std::vector<cfloat> magnitude;           // root of the sum of squares of both
  std::vector<std::vector<cdouble>> data;  // [coil][sample]

  TwoImages() {
    SenseProblem& p = problem;
    p.dims = 2;
    p.matrix = {side, side, 1};
    for (std::uint64_t j = 0; j < 2 * samples; ++j) {
      const cdouble random = complexNormal(7, j);
      p.points.own().push_back(side * std::remainder(random.real(), 1.0));
    }
    p.shotOffsets = {0, samples};
    p.precision = Precision::double64;
    p.transform = TransformKind::gdft;
    p.mapSets = 2;
    p.maps.resize(2 * coils * pixels);
    std::vector<std::vector<cdouble>> images(2, std::vector<cdouble>(pixels));
    for (std::size_t i = 0; i < pixels; ++i) {
      const double x = double(i % side) / side - 0.5, y = double(i / side) / side - 0.5;
      images[0][i] = std::hypot(x, y - 0.1) < 0.35 ? cdouble(1 + x, y) : 0;
      images[1][i] = std::hypot(x, y + 0.2) < 0.25 ? std::polar(0.7 - y, 2 * x) : 0;
      magnitude.emplace_back(float(std::hypot(std::abs(images[0][i]), std::abs(images[1][i]))));
      for (std::size_t set = 0; set < 2; ++set)
        for (std::size_t c = 0; c < coils; ++c)
          p.maps[(set * coils + c) * pixels + i] =
              cfloat(std::polar(0.5 + 0.2 * std::cos(double(c + 1) * (x + 2 * double(set))),
                                double(c) * (y - double(set)) * pi));
    }
    const GdftProblem exact = gdftProblem(p, shotGroups(p).front());
    const auto cpu = makeCpuBackend();
    const auto transform = cpu->gdft<double>(exact);
    for (std::size_t c = 0; c < coils; ++c) {
      std::vector<cdouble> coil(pixels), values(samples);
      for (std::size_t set = 0; set < 2; ++set)
        for (std::size_t i = 0; i < pixels; ++i)
          coil[i] += images[set][i] * cdouble(p.maps[(set * coils + c) * pixels + i]);
      transform->forward(coil.data(), values.data(), 1, {}, {});
      data.push_back(std::move(values));
    }
    for (const auto& coil : data) p.coils.emplace_back(coil.data());
  }
};

// A head of which a field of view of 2/3 holds the middle: whole k, every `step`-th line outside of the
// centre.
Scan cutHead(int step) {
  constexpr int matrix = 64, centre = 24, channels = 8;
  constexpr double larger = 1.5;
  Phantom phantom = sheppLogan(2);
  phantom.coils = modelCoils(2, channels);
  Scan scan;
  scan.name = "cut head";
  scan.coils = channels;
  scan.geometry.matrix = {matrix, matrix, 1};
  scan.geometry.fov = {matrix, matrix, 1};
  Trajectory t;
  t.dims = 2;
  t.shotOffsets = {0};
  for (int y = -matrix / 2; y < matrix / 2; ++y) {
    if (std::abs(y) > centre / 2 && y % step != 0) continue;
    for (int x = -matrix / 2; x < matrix / 2; ++x) t.points.insert(t.points.end(), {double(x), double(y)});
    t.shotOffsets.push_back(t.shotOffsets.back() + matrix);
  }
  Buffer<cfloat> values;
  for (int c = 0; c < channels; ++c)
    for (std::size_t j = 0; j < t.points.size(); j += 2) {
      const std::array<double, 3> k{larger * t.points[j], larger * t.points[j + 1], 0};
      values.push_back(cfloat(matrix * matrix * larger * larger * phantomKspace(phantom, c, k.data())));
    }
  scan.trajectories = {std::move(t)};
  scan.samples = {std::move(values)};
  return scan;
}

ReconOptions options(int sets) {
  ReconOptions o = senseOptions();
  o.iterative.solver = {40, 1e-4, 1e-4, Regularization::tikhonov};
  o.iterative.dataWeights = DataWeights::none;
  o.iterative.mapSets = sets;
  return o;
}

std::vector<double> magnitudes(const Reconstruction& result) {
  std::vector<double> values;
  for (const cfloat& v : result.image->data) values.push_back(std::abs(v));
  return values;
}

}  // namespace

class TestSoftSense : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void operatorAndItsAdjointAgree() {
    const TwoImages e;
    const auto cpu = makeCpuBackend();
    HostSpace<double> space;
    std::vector<SenseOperator<HostSpace<double>>::Group> groups(1);
    groups[0].transform = cpu->gdft<double>(gdftProblem(e.problem, shotGroups(e.problem).front()));
    const std::vector<cdouble> maps(e.problem.maps.begin(), e.problem.maps.end());
    SenseOperator<HostSpace<double>> sense(space, std::move(groups), maps.data(), 2, coils, pixels);
    QCOMPARE(sense.unknowns(), std::int64_t(2 * pixels));
    auto m = space.make(2 * pixels), back = space.make(2 * pixels), normal = space.make(2 * pixels),
         repeated = space.make(2 * pixels);
    for (std::size_t i = 0; i < m.size(); ++i) m[i] = complexNormal(1, i);
    cdouble forwardSide = 0, backSide = 0;
    for (std::int64_t c = 0; c < coils; ++c) {
      auto out = space.make(samples), random = space.make(samples);
      for (std::size_t j = 0; j < samples; ++j) random[j] = complexNormal(std::uint64_t(2 + c), j);
      sense.forward(0, c, m.data(), out.data(), {});
      for (std::size_t j = 0; j < samples; ++j) forwardSide += std::conj(random[j]) * out[j];
      sense.addAdjoint(0, c, random.data(), back.data(), false, c > 0, {});
      sense.addAdjoint(0, c, out.data(), repeated.data(), false, c > 0, {});
    }
    for (std::size_t i = 0; i < m.size(); ++i) backSide += std::conj(back[i]) * m[i];
    QVERIFY(std::abs(forwardSide - backSide) < 1e-11 * std::abs(forwardSide));
    sense.normal(m.data(), normal.data(), {});
    QVERIFY(relativeDifference(normal, repeated) < 1e-11);
  }

  void twoImagesAreFoundAgain_data() {
    QTest::addColumn<Regularization>("regularization");
    QTest::addColumn<double>("error");
    QTest::newRow("Tikhonov") << Regularization::tikhonov << 1e-3;
    QTest::newRow("roughness") << Regularization::roughness << 2e-2;
    QTest::newRow("total variation") << Regularization::totalVariation << 2e-2;
  }

  void twoImagesAreFoundAgain() {
    QFETCH(Regularization, regularization);
    QFETCH(double, error);
    const TwoImages e;
    const double lambda = regularization == Regularization::tikhonov ? 0 : 1e-5;
    int watched = 0;
    const auto watch = [&](const IterationState& state) {
      watched += state.image().size() == pixels;
      return IterationCommand{};
    };
    const SenseSolution found =
        makeCpuBackend()->solveSense(e.problem, {150, 1e-7, lambda, regularization}, watch, {});
    QCOMPARE(found.image.size(), pixels);
    QCOMPARE(watched, int(found.residuals.size()));
    std::vector<double> magnitude;
    for (const cfloat& v : found.image) magnitude.push_back(std::abs(v));
    const double difference = relativeDifference(magnitude, e.magnitude);
    QVERIFY2(difference < error, qPrintable(QString::number(difference)));
    // One set cannot explain the samples.
    SenseProblem one = e.problem;
    one.mapSets = 1;
    one.maps.resize(coils * pixels);
    const SenseSolution folded =
        makeCpuBackend()->solveSense(one, {150, 1e-7, lambda, regularization}, {}, {});
    std::vector<double> wrong;
    for (const cfloat& v : folded.image) wrong.push_back(std::abs(v));
    QVERIFY(relativeDifference(wrong, e.magnitude) > 10 * error);
  }

  // A recipe's name stands for the options that papers mean by it.
  void namesOfPapersSetTheirOptions() {
    const Scan half = cutHead(2);
    ReconOptions named = options(1), spelt = options(2);
    named.iterative.method = ReconMethod::softSense;
    QVERIFY(run(half, named).image->data == run(half, spelt).image->data);
    for (ReconOptions* o : {&named, &spelt}) {
      *o = options(1);
      o->iterative.solver = {12, 0, 1e-3, Regularization::totalVariation};
    }
    named.iterative.method = ReconMethod::tv;
    named.iterative.solver.regularization = Regularization::tikhonov;  // the method has its own
    QVERIFY(run(half, named).image->data == run(half, spelt).image->data);
  }

  // Where two places of the object share a pixel, half of the lines give the image of all lines only
  // with two sets of maps.
  void objectsBeyondTheFieldOfView() {
    const Scan whole = cutHead(1), half = cutHead(2);
    const std::vector<double> all = magnitudes(run(whole, options(2)));
    const double two = nrmse(magnitudes(run(half, options(2))), all);
    const double one = nrmse(magnitudes(run(half, options(1))), magnitudes(run(whole, options(1))));
    QVERIFY2(two < 0.5 * one && two < 0.1, qPrintable(QString("%1 %2").arg(two).arg(one)));
    const Reconstruction result = run(half, options(2));
    QVERIFY(std::any_of(result.notes.begin(), result.notes.end(), [](const std::string& note) {
      return note.find("two sets of coil maps") != std::string::npos;
    }));
    qInfo("two sets: %.3f, one: %.3f of what all lines give", two, one);
  }

  // A file with both sets of maps is taken as it is, after the coils were mixed as well.
  void mapsOfAFile() {
    const Scan scan = cutHead(2);
    const QTemporaryDir folder;
    const std::string file = folder.filePath(QStringLiteral("maps.npy")).toStdString();
    Image maps;
    maps.frames = 2 * scan.coils;
    maps.size = {64, 64, 1};
    maps.geometry.matrix = maps.size;
    for (std::size_t i = 0; i < std::size_t(maps.frames) * 64 * 64; ++i)
      maps.data.push_back(cfloat(complexNormal(3, i)));
    writeImage(maps, file, {}, {});
    ReconOptions o = options(2);
    o.iterative.coilMaps = file;
    o.iterative.solver.iterations = 3;
    const Reconstruction all = run(scan, o);
    QVERIFY(all.image);
    o.virtualCoils = scan.coils - 1;
    QVERIFY(run(scan, o).image);
    o = options(1);
    o.iterative.coilMaps = file;
    QVERIFY(reasonOf(scan, o).find("where the scan needs 8 maps") != std::string::npos);
  }

  void whatCannotHaveTwoSetsIsRefused() {
    const Scan scan = cutHead(2);
    ReconOptions o = options(2);
    o.iterative.coilMaps = "walsh";
    QCOMPARE(reasonOf(scan, o), std::string("Walsh's method finds one map a coil"));
    Scan single = scan;
    single.coils = 1;
    single.samples[0].resize(std::size_t(single.trajectory(0).samples()));
    QCOMPARE(reasonOf(single, options(2)), std::string("one coil cannot tell two places of a pixel apart"));
    QVERIFY_EXCEPTION_THROWN(setOption(o, "coil-map-sets", "3"), Error);
    setOption(o, "coil-map-sets", "2");
    QCOMPARE(o.iterative.mapSets, 2);
  }
};

SPOKELAB_TEST(TestSoftSense)

}  // namespace test_soft_sense

#include "test_soft_sense.moc"
