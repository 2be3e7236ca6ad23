// Samples as large or small as single precision holds reconstruct to the same image, scaled; an
// image that it cannot hold is an error.
#include <QtTest>
#include <cmath>
#include <limits>

#include "engine/recon/prepare/sample_scale.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_sample_scale {

using namespace spokelab;
using test::relativeDifference;

namespace {

constexpr int coils = 3;

const Scan& plainScan() {
  static const auto scan = [] {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::radial2d;
    options.trajectory.matrix = {24, 24, 1};
    options.coils = coils;
    options.frames = 2;
    return simulate(options, {});
  }();
  return *scan;
}

Scan times(const Scan& scan, double factor) {
  Scan scaled = scan;
  for (auto& frame : scaled.samples)
    for (cfloat& v : frame) v = cfloat(cdouble(v) * factor);
  return scaled;
}

ReconOptions options(Combination combination, ReconMethod method) {
  ReconOptions o;
  o.nufft.alpha = 2;
  o.nufft.width = 5;
  o.combination = combination;
  o.iterative.method = method;
  o.iterative.solver.iterations = 5;
  return o;
}

double largestOf(const Image& image) {
  double largest = 0;
  for (const cfloat& v : image.data) largest = std::max(largest, double(std::abs(v)));
  return largest;
}

class SampleScaleTest : public QObject {
  Q_OBJECT

 private slots:
  void ordinarySamplesStayAsTheyAre() {
    const Scan& scan = plainScan();
    QCOMPARE(sampleExponent(scan, {0, 1}, {}), 0);
    QCOMPARE(sampleExponent(times(scan, 0), {0, 1}, {}), 0);
  }
  // Wherever a number stands in an array, and whatever the array's length.
  void everyPlaceCounts() {
    for (std::size_t count = 1; count < 40; ++count)
      for (std::size_t place = 0; place < 2 * count; ++place) {
        Scan scan;
        scan.samples.emplace_back(count, cfloat(1e-20F, -1e-20F));
        auto* const parts = reinterpret_cast<float*>(scan.samples[0].data());
        parts[place] = -std::ldexp(0.75F, -40);
        QCOMPARE(sampleExponent(scan, {0}, {}), 40);
        parts[place] = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(!allFinite(scan.samples[0].data(), std::int64_t(count)));
        QCOMPARE(sampleExponent(scan, {0}, {}), 66);  // of the others
        std::vector<cdouble> wide(count, cdouble(1, -2));
        QVERIFY(allFinite(wide.data(), std::int64_t(count)));
        reinterpret_cast<double*>(wide.data())[place] = -std::numeric_limits<double>::infinity();
        QVERIFY(!allFinite(wide.data(), std::int64_t(count)));
      }
  }

  void theScaleIsExactlyInverted() {
    const Scan tiny = times(plainScan(), std::ldexp(1.0, -70));
    const int exponent = sampleExponent(tiny, {0, 1}, {});
    QVERIFY(exponent > 24);
    const auto scaled = scaledScan(tiny, {0, 1}, exponent, {});
    double largest = 0;
    for (const cfloat& v : scaled->samples[0])
      largest = std::max({largest, double(std::abs(v.real())), double(std::abs(v.imag()))});
    QVERIFY(largest >= 0.5 && largest < 1);
    const auto back = scaledScan(*scaled, {0, 1}, -exponent, {});
    QCOMPARE(back->samples[0], tiny.samples[0]);
  }

  void imagesScaleWithTheirSamples_data() {
    QTest::addColumn<double>("factor");
    QTest::addColumn<int>("combination");
    QTest::addColumn<int>("method");
    for (const double factor : {1e-33, 1e-22, 1e-12, 1e12, 1e20, 1e33})
      for (const auto& [name, combination, method] :
           {std::tuple("rss", Combination::rootSumSquares, ReconMethod::gridding),
            std::tuple("adaptive", Combination::adaptive, ReconMethod::gridding),
            std::tuple("none", Combination::none, ReconMethod::gridding),
            std::tuple("sense", Combination::rootSumSquares, ReconMethod::sense)})
        QTest::addRow("%s %g", name, factor) << factor << int(combination) << int(method);
  }
  void imagesScaleWithTheirSamples() {
    QFETCH(double, factor);
    QFETCH(int, combination);
    QFETCH(int, method);
    const ReconOptions o = options(Combination(combination), ReconMethod(method));
    const Image plain = *test::run(plainScan(), o).image;
    const Image scaled = *test::run(times(plainScan(), factor), o).image;
    std::vector<cdouble> expected;
    for (const cfloat& v : plain.data) expected.push_back(cdouble(v) * factor);
    QVERIFY(largestOf(scaled) > 0);
    std::vector<cdouble> seen(scaled.data.begin(), scaled.data.end());
    for (cdouble& v : seen) v /= factor;
    for (cdouble& v : expected) v /= factor;
    const double difference = relativeDifference(seen, expected);
    QVERIFY2(difference < 1e-5, qPrintable(QString::number(difference)));
    Image truth = scaled;
    QVERIFY(nrmse(scaled, truth) < 1e-6);
    QVERIFY(nrmse(scaled, plain) < 1e-5);
  }
  void aQuietFrameBesideALoudOneKeepsItsImage() {
    Scan mixed = times(plainScan(), 1e-22);
    mixed.samples[0] = plainScan().samples[0];
    const ReconOptions o = options(Combination::rootSumSquares, ReconMethod::gridding);
    const Image plain = *test::run(plainScan(), o).image, seen = *test::run(mixed, o).image;
    std::vector<cdouble> quiet, expected;
    for (std::int64_t i = 0; i < seen.volume(); ++i) {
      quiet.push_back(cdouble(seen.frame(1)[i]) * 1e22);
      expected.push_back(plain.frame(1)[i]);
    }
    QVERIFY(relativeDifference(quiet, expected) < 1e-5);
  }

  void anImageBeyondTheRangeIsAnError() {
    // A demo's image is larger than its samples' mean, so the largest samples go out of range.
    Scan loud = plainScan();
    const ReconOptions o = options(Combination::rootSumSquares, ReconMethod::gridding);
    for (auto& frame : loud.samples) std::fill(frame.begin(), frame.end(), cfloat(3e38F, 0));
    const std::string reason = test::reasonOf(loud, o);
    QVERIFY2(reason.find("beyond the largest number") != std::string::npos, reason.c_str());
  }
  void imagesThatHoldNoNumbersAreErrors() {
    Image image = nominalImage({4, 4, 1}, "test");
    image.data.assign(16, cfloat(1));
    finishImage(image, 0);
    for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")}) {
      image.data[5] = {0, bad};
      QVERIFY_THROWS_EXCEPTION(Error, finishImage(image, 0));
    }
  }

  void noiseThatCannotBeUsedIsNotUsed_data() {
    QTest::addColumn<float>("value");
    QTest::newRow("not a number") << std::nanf("");
    QTest::newRow("infinite") << std::numeric_limits<float>::infinity();
    QTest::newRow("zero") << 0.0F;
  }
  void noiseThatCannotBeUsedIsNotUsed() {
    QFETCH(float, value);
    Scan scan = plainScan();
    scan.noise.assign(coils * 256, cfloat(value, value));
    ReconOptions o = options(Combination::rootSumSquares, ReconMethod::gridding);
    const Reconstruction result = test::run(scan, o);
    QCOMPARE(result.image->data, test::run(plainScan(), o).image->data);
    QVERIFY(std::any_of(result.notes.begin(), result.notes.end(),
                        [](const std::string& n) { return n.find("not whitened") != std::string::npos; }));
    o.prewhitening = Prewhitening::on;
    QVERIFY(test::reasonOf(scan, o) != "no error");
  }
};

}  // namespace

SPOKELAB_TEST(SampleScaleTest)

}  // namespace test_sample_scale

#include "test_sample_scale.moc"
