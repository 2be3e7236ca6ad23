// SENSE of the C interface: samples by exact sums come back as the image they are of.
#include <QtTest>

#include <cmath>
#include <random>
#include <vector>

#include "engine/nufft/exact/nudft.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "tests/app/api/c_handles.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t nx = 12, ny = 10, pixels = nx * ny, coils = 3, samples = 500;
constexpr int shots = 2;

struct Case {
  std::vector<double> points, times, field;  // cycles/FOV, s, rad/s
  std::vector<cfloat> maps;                  // [coil, pixel]
  std::vector<cdouble> image;
  std::vector<std::int64_t> offsets{0, 180, samples};  // of shots
  std::vector<double> phases;                          // [shot, pixel]

  Case() {
    std::mt19937 random(9);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::int64_t j = 0; j < samples; ++j) {
      points.insert(points.end(), {0.5 * double(nx) * unit(random), 0.5 * double(ny) * unit(random)});
      times.push_back(2e-3 * double(j) / double(samples));
    }
    for (std::int64_t n = 0; n < pixels; ++n) {
      image.emplace_back(unit(random), unit(random));
      field.push_back(300 * unit(random));
    }
    for (std::int64_t c = 0; c < coils; ++c)
      for (std::int64_t n = 0; n < pixels; ++n)
        maps.push_back(std::polar(1.0F + 0.3F * float(c), 0.1F * float(c * (n % nx))));
    for (std::int64_t n = 0; n < shots * pixels; ++n) phases.push_back(3 * unit(random));
  }

  // Samples of the image times maps, and e^{i phase} if requested, by exact sums.
  std::vector<cdouble> measured(bool withField, bool withPhases) const {
    std::vector<cdouble> all;
    for (std::int64_t c = 0; c < coils; ++c)
      for (int s = 0; s < shots; ++s) {
        GdftProblem problem;
        problem.dims = 2;
        problem.matrix = {nx, ny, 1};
        problem.points.assign(points.begin() + 2 * offsets[std::size_t(s)],
                              points.begin() + 2 * offsets[std::size_t(s) + 1]);
        if (withField) {
          problem.times.assign(times.begin() + offsets[std::size_t(s)],
                               times.begin() + offsets[std::size_t(s) + 1]);
          problem.field = field;
        }
        std::vector<cdouble> seen(static_cast<std::size_t>(pixels));
        for (std::size_t n = 0; n < seen.size(); ++n) {
          seen[n] = image[n] * cdouble(maps[std::size_t(c * pixels) + n]);
          if (withPhases) seen[n] *= std::polar(1.0, phases[std::size_t(s * pixels) + n]);
        }
        const std::vector<cdouble> part = gdftDirect(problem, seen);
        all.insert(all.end(), part.begin(), part.end());
      }
    return all;
  }
};

double difference(const std::vector<cdouble>& a, const std::vector<cdouble>& b) {
  double error = 0, norm = 0;
  for (std::size_t i = 0; i < b.size(); ++i) {
    error += std::norm(a[i] - b[i]);
    norm += std::norm(b[i]);
  }
  return std::sqrt(error / norm);
}

struct Sense {
  spokelab_sense* handle = nullptr;
  ~Sense() { spokelab_sense_destroy(handle); }
};

spokelab_status make(const Context& context, const Case& c, spokelab_precision precision,
                     const Options& options, Sense& sense) {
  const int64_t size[] = {nx, ny};
  return spokelab_sense_create(context.handle, 2, size, precision, int(coils),
                               reinterpret_cast<const float*>(c.maps.data()), samples, c.points.data(),
                               options.handle, &sense.handle);
}

class TestCSense : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void theImageComesBack_data() {
    QTest::addColumn<bool>("field");
    QTest::addColumn<bool>("phases");
    QTest::newRow("SENSE") << false << false;
    QTest::newRow("with a field") << true << false;
    QTest::newRow("with the shots' phases") << false << true;
  }
  void theImageComesBack() {
    QFETCH(bool, field);
    QFETCH(bool, phases);
    const Case c;
    const Context context;
    const Options options{
        {"iterations", "80"}, {"lambda", "0"}, {"accuracy", "1e-9"}, {"transform", field ? "gdft" : "nufft"}};
    Sense sense;
    QCOMPARE(make(context, c, SPOKELAB_DOUBLE, options, sense), SPOKELAB_OK);
    if (field)
      QCOMPARE(spokelab_sense_set_field(sense.handle, c.times.data(), c.field.data(), nullptr, nullptr),
               SPOKELAB_OK);
    if (phases)
      QCOMPARE(spokelab_sense_set_phases(sense.handle, shots, c.offsets.data(), c.phases.data()),
               SPOKELAB_OK);
    const std::vector<cdouble> values = c.measured(field, phases);
    std::vector<cdouble> image(static_cast<std::size_t>(pixels));
    QVERIFY2(spokelab_sense_solve(sense.handle, values.data(), nullptr, nullptr, nullptr, image.data()) ==
                 SPOKELAB_OK,
             qPrintable(errorText()));
    QVERIFY2(difference(image, c.image) < 1e-6, qPrintable(QString::number(difference(image, c.image))));
    const int count = spokelab_sense_iterations(sense.handle);
    QVERIFY(count > 10 && count <= 80);
    QVERIFY(spokelab_sense_residuals(sense.handle)[count - 1] < 1e-6);
    QVERIFY(std::string(spokelab_sense_text(sense.handle)).size() > 10);
  }

  // Plans stay: other samples give another image, and weights and options of a call hold.
  void otherSamplesAndOptions() {
    const Case c;
    const Context context;
    const Options options{{"iterations", "80"}, {"lambda", "0"}, {"accuracy", "1e-5"}};
    Sense sense;
    QCOMPARE(make(context, c, SPOKELAB_SINGLE, options, sense), SPOKELAB_OK);
    const std::vector<double> weights(samples, 0.5);
    QCOMPARE(spokelab_sense_set_weights(sense.handle, weights.data()), SPOKELAB_OK);
    const std::vector<cdouble> exact = c.measured(false, false);
    std::vector<cfloat> values(exact.begin(), exact.end()), image(static_cast<std::size_t>(pixels));
    for (const float factor : {1.0F, -2.0F}) {
      std::vector<cfloat> scaled = values;
      for (cfloat& v : scaled) v *= factor;
      QCOMPARE(spokelab_sense_solve(sense.handle, scaled.data(), nullptr, nullptr, nullptr, image.data()),
               SPOKELAB_OK);
      std::vector<cdouble> wanted = c.image;
      for (cdouble& v : wanted) v *= factor;
      QVERIFY(difference({image.begin(), image.end()}, wanted) < 1e-3);
    }
    const Options few{{"iterations", "3"}, {"lambda", "10"}};
    QCOMPARE(spokelab_sense_solve(sense.handle, values.data(), few.handle, nullptr, nullptr, image.data()),
             SPOKELAB_OK);
    QCOMPARE(spokelab_sense_iterations(sense.handle), 3);
    QVERIFY(difference({image.begin(), image.end()}, c.image) > 0.1);
  }

  void cancelsAndRefuses() {
    const Case c;
    const Context context;
    const Options options{{"iterations", "1000"}};
    Sense sense;
    QCOMPARE(make(context, c, SPOKELAB_SINGLE, options, sense), SPOKELAB_OK);
    const std::vector<cdouble> exact = c.measured(false, false);
    const std::vector<cfloat> values(exact.begin(), exact.end());
    std::vector<cfloat> image(static_cast<std::size_t>(pixels), cfloat(7));
    const auto stop = [](double, const char*, void*) { return 1; };
    QCOMPARE(spokelab_sense_solve(sense.handle, values.data(), nullptr, stop, nullptr, image.data()),
             SPOKELAB_CANCELLED);
    for (const cfloat& v : image) QVERIFY(v != cfloat(7));
    // A wrong size is refused, and the problem is unchanged.
    const std::vector<std::int64_t> wrong{0, samples + 1};
    QCOMPARE(spokelab_sense_set_phases(sense.handle, 1, wrong.data(), c.phases.data()),
             SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_sense_set_field(sense.handle, nullptr, c.field.data(), nullptr, nullptr),
             SPOKELAB_BAD_ARGUMENT);
    std::vector<double> bad(static_cast<std::size_t>(shots * pixels), std::nan(""));
    QCOMPARE(spokelab_sense_set_phases(sense.handle, shots, c.offsets.data(), bad.data()), SPOKELAB_FAILED);
    Sense segmented;
    const Options withField{{"transform", "segmented"}, {"iterations", "2"}};
    QCOMPARE(make(context, c, SPOKELAB_SINGLE, withField, segmented), SPOKELAB_OK);
    QCOMPARE(spokelab_sense_set_weights(segmented.handle, nullptr), SPOKELAB_OK);
    QCOMPARE(spokelab_sense_solve(segmented.handle, values.data(), nullptr, nullptr, nullptr, image.data()),
             SPOKELAB_FAILED);
    QVERIFY(errorText().contains("needs a field map"));
    QCOMPARE(spokelab_sense_set_field(segmented.handle, c.times.data(), c.field.data(), nullptr, nullptr),
             SPOKELAB_OK);
    QCOMPARE(spokelab_sense_solve(segmented.handle, values.data(), nullptr, nullptr, nullptr, image.data()),
             SPOKELAB_OK);
    const Options few{{"iterations", "2"}};
    QCOMPARE(spokelab_sense_solve(sense.handle, values.data(), few.handle, nullptr, nullptr, image.data()),
             SPOKELAB_OK);
    QCOMPARE(spokelab_sense_solve_on(sense.handle, values.data(), few.handle, nullptr, nullptr, image.data(),
                                     nullptr),
             SPOKELAB_BAD_ARGUMENT);
    QVERIFY(errorText().contains("SENSE on the CPU"));
    Sense none;
    Case without = c;
    without.maps.assign(without.maps.size(), cfloat(0));
    QCOMPARE(make(context, without, SPOKELAB_SINGLE, options, none), SPOKELAB_FAILED);
    QVERIFY(errorText().contains("all coil maps are zero"));
    QVERIFY(!none.handle);
    QCOMPARE(spokelab_sense_solve(nullptr, values.data(), nullptr, nullptr, nullptr, image.data()),
             SPOKELAB_BAD_ARGUMENT);
    QVERIFY(spokelab_sense_iterations(nullptr) == -1 && !spokelab_sense_text(nullptr));
  }
};

}  // namespace

SPOKELAB_TEST(TestCSense)
#include "test_c_sense.moc"
