// The C interface gives what the engine gives, refuses what it cannot take with a reason, and shows
// nothing else.
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

#include "app/api/spokelab.h"
#include "engine/nufft/exact/nudft.h"
#include "engine/nufft/exact/nudft_many.h"
#include "engine/recon/field/gdft/gdft_direct.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/simulate/random_numbers.h"
#include "tests/app/api/c_handles.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_c_interface {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr std::int64_t count = 300;

std::vector<double> randomPoints(int dims) {
  std::vector<double> points;
  for (std::uint64_t i = 0; i < std::uint64_t(count * dims); ++i)
    points.push_back(std::remainder(complexNormal(1, i).real(), 1.0));
  return points;
}

template <class Complex>
std::vector<Complex> randomValues(std::int64_t n, std::uint64_t seed) {
  std::vector<Complex> values;
  for (std::uint64_t i = 0; i < std::uint64_t(n); ++i) values.push_back(Complex(complexNormal(seed, i)));
  return values;
}

template <class Real>
void comparePlan(int dims, int sign) {
  using Complex = std::complex<Real>;
  const bool isDouble = sizeof(Real) == sizeof(double);
  const Context context;
  const Options options{{"accuracy", isDouble ? "1e-9" : "1e-4"}, {"threads", "2"}, {"backend", "cpu"}};
  const std::array<std::int64_t, 3> size{10, 9, 8};
  NufftProblem problem;
  problem.dims = dims;
  problem.sign = sign;
  for (std::size_t d = 0; d < std::size_t(dims); ++d) problem.size[d] = size[d];
  const std::vector<double> points = randomPoints(dims);
  spokelab_plan* plan = nullptr;
  QCOMPARE(spokelab_plan_create(context.handle, dims, size.data(), sign,
                                isDouble ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE, 1, options.handle, &plan),
           SPOKELAB_OK);
  QCOMPARE(spokelab_plan_set_points(plan, count, points.data()), SPOKELAB_OK);
  QCOMPARE(spokelab_plan_points(plan), count);
  QCOMPARE(spokelab_plan_pixels(plan), problem.pixels());
  const double tolerance = isDouble ? 1e-9 : 1e-4;
  QVERIFY(spokelab_plan_error(plan) > 0 && spokelab_plan_error(plan) <= tolerance);

  const auto image = randomValues<Complex>(problem.pixels(), 2), samples = randomValues<Complex>(count, 3);
  std::vector<Complex> forward(static_cast<std::size_t>(count)), adjoint(image.size()), normal(image);
  QCOMPARE(spokelab_plan_forward(plan, image.data(), forward.data()), SPOKELAB_OK);
  QCOMPARE(spokelab_plan_adjoint(plan, samples.data(), adjoint.data()), SPOKELAB_OK);
  const std::vector<cdouble> exactImage(image.begin(), image.end()),
      exactSamples(samples.begin(), samples.end());
  auto exact = nudftForward(problem, points, exactImage, {}, 1, {});
  QVERIFY(relativeDifference(forward, exact) < 2 * tolerance);
  QVERIFY(relativeDifference(adjoint, nudftAdjoint(problem, points, exactSamples, {}, 1, {})) <
          2 * tolerance);

  std::vector<double> weights;
  for (std::size_t j = 0; j < std::size_t(count); ++j) weights.push_back(0.5 + double(j) / double(count));
  QCOMPARE(spokelab_plan_set_weights(plan, count, weights.data()), SPOKELAB_OK);
  QCOMPARE(spokelab_plan_normal(plan, normal.data(), normal.data()), SPOKELAB_OK);  // in place
  for (std::size_t j = 0; j < exact.size(); ++j) exact[j] *= weights[j];
  QVERIFY(relativeDifference(normal, nudftAdjoint(problem, points, exact, {}, 1, {})) < 4 * tolerance);
  QCOMPARE(spokelab_plan_forward_on(plan, image.data(), forward.data(), nullptr), SPOKELAB_BAD_ARGUMENT);
  QCOMPARE(spokelab_plan_set_points_on(plan, count, points.data(), nullptr), SPOKELAB_BAD_ARGUMENT);
  QCOMPARE(spokelab_synchronize(context.handle, nullptr), SPOKELAB_OK);
  QVERIFY(errorText().contains(QLatin1String("plan of the CPU")));
  spokelab_plan_destroy(plan);
}

}  // namespace

class TestCInterface : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::string path(const char* name) const {
    return folder_.filePath(QString::fromLatin1(name)).toStdString();
  }

 private Q_SLOTS:
  void plansGiveTheExactSums_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<int>("sign");
    for (int dims = 1; dims <= 3; ++dims)
      for (const int sign : {-1, 1})
        QTest::newRow(qPrintable(QStringLiteral("%1-D, %2").arg(dims).arg(sign))) << dims << sign;
  }
  void plansGiveTheExactSums() {
    QFETCH(int, dims);
    QFETCH(int, sign);
    comparePlan<float>(dims, sign);
    comparePlan<double>(dims, sign);
  }

  // Of four dimensions; more than eight, and a GPU, are refused.
  void fourDimensions() {
    const Context context;
    const std::vector<std::int64_t> size{5, 4, 3, 6};
    std::vector<double> points;
    for (const double k : randomPoints(2)) points.push_back(k);
    const std::int64_t own = std::int64_t(points.size()) / 4;
    const Options options{{"accuracy", "1e-7"}};
    spokelab_plan* plan = nullptr;
    QCOMPARE(
        spokelab_plan_create(context.handle, 4, size.data(), 1, SPOKELAB_DOUBLE, 1, options.handle, &plan),
        SPOKELAB_OK);
    QCOMPARE(spokelab_plan_pixels(plan), std::int64_t(360));
    QCOMPARE(spokelab_plan_set_points(plan, own, points.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_plan_points(plan), own);
    const auto image = randomValues<cdouble>(360, 2), samples = randomValues<cdouble>(own, 3);
    std::vector<cdouble> forward(static_cast<std::size_t>(own)), adjoint(image.size());
    QCOMPARE(spokelab_plan_forward(plan, image.data(), forward.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_plan_adjoint(plan, samples.data(), adjoint.data()), SPOKELAB_OK);
    QVERIFY(relativeDifference(forward, nudftManyForward(size, 1, points, image)) < 2e-7);
    QVERIFY(relativeDifference(adjoint, nudftManyAdjoint(size, 1, points, samples)) < 2e-7);
    QVERIFY(QByteArray(spokelab_plan_text(plan)).startsWith("4-D"));
    spokelab_plan_destroy(plan);
    plan = nullptr;
    QCOMPARE(spokelab_plan_tune(context.handle, 4, size.data(), 1, SPOKELAB_SINGLE, 1, nullptr, own,
                                points.data(), nullptr, nullptr, &plan),
             SPOKELAB_OK);
    QVERIFY(QByteArray(spokelab_plan_text(plan)).contains("not timed"));
    spokelab_plan_destroy(plan);
    plan = nullptr;
    const std::vector<std::int64_t> nine(9, 2);
    QCOMPARE(spokelab_plan_create(context.handle, 9, nine.data(), 1, SPOKELAB_DOUBLE, 1, nullptr, &plan),
             SPOKELAB_BAD_ARGUMENT);
    const Options gpu{{"backend", "cuda"}};
    QCOMPARE(spokelab_plan_create(context.handle, 4, size.data(), 1, SPOKELAB_DOUBLE, 1, gpu.handle, &plan),
             SPOKELAB_BAD_ARGUMENT);
    QVERIFY(!plan);
  }

  // The last pixel has the largest aliasing: its error is what an amplitude bounds, and the mean of
  // all is smaller.
  void theErrorMeasureIsWhatTheAccuracyBounds() {
    const Context context;
    constexpr std::int64_t size = 64;
    constexpr double accuracy = 1e-4;
    NufftProblem problem;
    problem.dims = 1;
    problem.size[0] = size;
    const std::vector<double> points = randomPoints(1);
    std::vector<cdouble> image(size), exact = image, samples(static_cast<std::size_t>(count));
    image.front() = 1;
    exact = nudftForward(problem, points, image);
    double error[2];
    for (const bool amplitude : {false, true}) {
      const Options options{{"accuracy", "1e-4"},
                            {"alpha", "1.25"},
                            {"backend", "cpu"},
                            {"error-measure", amplitude ? "amplitude" : "l2"}};
      QCOMPARE(QByteArray(spokelab_options_get(options.handle, "error-measure")),
               amplitude ? "amplitude" : "l2");
      spokelab_plan* plan = nullptr;
      QCOMPARE(spokelab_plan_create(context.handle, 1, &size, -1, SPOKELAB_DOUBLE, 1, options.handle, &plan),
               SPOKELAB_OK);
      QCOMPARE(spokelab_plan_set_points(plan, count, points.data()), SPOKELAB_OK);
      QCOMPARE(spokelab_plan_forward(plan, image.data(), samples.data()), SPOKELAB_OK);
      error[amplitude] = relativeDifference(samples, exact);
      QVERIFY(spokelab_plan_error(plan) <= accuracy);
      spokelab_plan_destroy(plan);
    }
    QVERIFY2(error[1] <= accuracy, QByteArray::number(error[1]));
    QVERIFY2(error[0] > accuracy, QByteArray::number(error[0]));
    spokelab_options* options = nullptr;
    QCOMPARE(spokelab_options_create(&options), SPOKELAB_OK);
    QCOMPARE(spokelab_options_set(options, "error-measure", "largest"), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains("amplitude"), qPrintable(errorText()));
    spokelab_options_destroy(options);
  }

  void tunedPlansAreRemembered() {
    const std::string wisdom = path("wisdom.json");
    const Context context(wisdom.c_str());
    const Options options{{"accuracy", "1e-3"}, {"backend", "cpu"}};
    const std::array<std::int64_t, 2> size{32, 32};
    const std::vector<double> points = randomPoints(2);
    for (const char* word : {"", "Remembered"}) {
      spokelab_plan* plan = nullptr;
      QCOMPARE(spokelab_plan_tune(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle,
                                  count, points.data(), nullptr, nullptr, &plan),
               SPOKELAB_OK);
      QCOMPARE(spokelab_plan_points(plan), count);
      const QString text = QString::fromUtf8(spokelab_plan_text(plan));
      QVERIFY2(text.contains(QLatin1String(word)) && text.contains(QLatin1String("cpu")), qPrintable(text));
      spokelab_plan_destroy(plan);
    }
    spokelab_plan* plan = nullptr;
    const auto stop = [](double, const char*, void*) { return 1; };
    const Context fresh;
    QCOMPARE(spokelab_plan_tune(fresh.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle, count,
                                points.data(), stop, nullptr, &plan),
             SPOKELAB_CANCELLED);
    QVERIFY(!plan);
  }

  // A caller who does not say how often gets no plan whose points only hundreds of executions
  // repay.
  void aTunedPlanSaysHowManyExecutionsItIsFor() {
    const Context context;
    const std::array<std::int64_t, 2> size{32, 32};
    const std::vector<double> points = randomPoints(2);
    for (const auto& [reuse, said] : {std::pair{"", "10 executions for a set of points"},
                                      std::pair{"300", "300 executions for a set of points"}}) {
      const Options options{{"accuracy", "1e-3"}, {"backend", "cpu"}};
      if (*reuse) QCOMPARE(spokelab_options_set(options.handle, "reuse", reuse), SPOKELAB_OK);
      spokelab_plan* plan = nullptr;
      QCOMPARE(spokelab_plan_tune(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle,
                                  count, points.data(), nullptr, nullptr, &plan),
               SPOKELAB_OK);
      const QString text = QString::fromUtf8(spokelab_plan_text(plan));
      QVERIFY2(text.contains(QLatin1String(said)), qPrintable(text));
      spokelab_plan_destroy(plan);
    }
  }

  void gdftIsTheExactSum() {
    GdftProblem problem;
    problem.matrix = {9, 8, 1};
    problem.points = randomPoints(2);
    for (double& k : problem.points) k *= 8;
    for (std::int64_t j = 0; j < count; ++j) problem.times.push_back(1e-5 * double(j));
    for (int i = 0; i < 72; ++i) {
      problem.field.push_back(10.0 * i);
      problem.decay.push_back(0.5 * i);
    }
    const auto image = randomValues<cdouble>(72, 4);
    const Context context;
    for (const bool intravoxel : {false, true}) {
      problem.intravoxel = intravoxel;
      problem.gradient.assign(intravoxel ? 144 : 0, 3.0);
      spokelab_transform* t = nullptr;
      QCOMPARE(spokelab_gdft_create(context.handle, 2, problem.matrix.data(), SPOKELAB_DOUBLE, count,
                                    problem.points.data(), problem.times.data(), problem.field.data(),
                                    problem.decay.data(), intravoxel ? problem.gradient.data() : nullptr,
                                    nullptr, &t),
               SPOKELAB_OK);
      std::vector<cdouble> samples(static_cast<std::size_t>(count)), back(72);
      QCOMPARE(spokelab_gdft_forward(t, image.data(), samples.data()), SPOKELAB_OK);
      QVERIFY(relativeDifference(samples, gdftDirect(problem, image)) < 1e-10);
      QCOMPARE(spokelab_gdft_adjoint(t, samples.data(), back.data()), SPOKELAB_OK);
      cdouble left = 0, right = 0;
      for (const cdouble& v : samples) left += std::norm(v);
      for (std::size_t i = 0; i < back.size(); ++i) right += std::conj(image[i]) * back[i];
      QVERIFY(std::abs(left - right) < 1e-10 * std::abs(left));
      QCOMPARE(spokelab_gdft_adjoint_on(t, samples.data(), back.data(), nullptr), SPOKELAB_BAD_ARGUMENT);
      QVERIFY(errorText().contains("transform of the CPU"));
      spokelab_gdft_destroy(t);
      // The same pixels as points in any order, and points between them.
      GdftProblem placed = problem;
      constexpr int pixels = 72, rows = 9;
      for (int i = 0; i < pixels; ++i)
        for (const double r : {(i % rows - rows / 2) / double(rows), (i / rows - 4) / 8.0})
          placed.coordinates.push_back(intravoxel ? r + 0.03 : r);
      QCOMPARE(spokelab_gdft_create_at(context.handle, 2, placed.matrix.data(), SPOKELAB_DOUBLE, pixels,
                                       placed.coordinates.data(), count, placed.points.data(),
                                       placed.times.data(), placed.field.data(), placed.decay.data(),
                                       intravoxel ? placed.gradient.data() : nullptr, nullptr, &t),
               SPOKELAB_OK);
      std::vector<cdouble> ofPoints(static_cast<std::size_t>(count));
      QCOMPARE(spokelab_gdft_forward(t, image.data(), ofPoints.data()), SPOKELAB_OK);
      QVERIFY(relativeDifference(ofPoints, gdftDirect(placed, image)) < 1e-10);
      QCOMPARE(relativeDifference(ofPoints, samples) < 1e-10, !intravoxel);
      QCOMPARE(spokelab_gdft_adjoint(t, ofPoints.data(), back.data()), SPOKELAB_OK);
      left = right = 0;
      for (const cdouble& v : ofPoints) left += std::norm(v);
      for (std::size_t i = 0; i < back.size(); ++i) right += std::conj(image[i]) * back[i];
      QVERIFY(std::abs(left - right) < 1e-10 * std::abs(left));
      spokelab_gdft_destroy(t);
      QCOMPARE(spokelab_gdft_create_at(context.handle, 2, placed.matrix.data(), SPOKELAB_DOUBLE, pixels,
                                       nullptr, count, placed.points.data(), nullptr, nullptr, nullptr,
                                       nullptr, nullptr, &t),
               SPOKELAB_BAD_ARGUMENT);
    }
  }

  void pointsToPoints() {
    constexpr std::int64_t targets = 41;
    const std::vector<double> sources = randomPoints(2);
    std::vector<double> ends = randomPoints(2);
    ends.resize(2 * targets);
    for (double& s : ends) s = 30 * s + 100;
    const auto values = randomValues<cdouble>(std::size_t(2 * count), 4);
    std::vector<cdouble> exact(2 * targets), found(exact.size()), back(values.size());
    for (std::int64_t b = 0; b < 2; ++b)
      for (std::int64_t k = 0; k < targets; ++k)
        for (std::int64_t j = 0; j < count; ++j) {
          const double turns = sources[std::size_t(2 * j)] * ends[std::size_t(2 * k)] +
                               sources[std::size_t(2 * j + 1)] * ends[std::size_t(2 * k + 1)];
          exact[std::size_t(b * targets + k)] +=
              values[std::size_t(b * count + j)] * std::polar(1.0, 2 * M_PI * turns);
        }
    const Context context;
    const Options options{{"accuracy", "1e-8"}};
    spokelab_type3* t = nullptr;
    QCOMPARE(spokelab_type3_create(context.handle, 2, 1, SPOKELAB_DOUBLE, 2, options.handle, &t),
             SPOKELAB_OK);
    QCOMPARE(spokelab_type3_forward(t, values.data(), found.data()), SPOKELAB_FAILED);  // no points yet
    QCOMPARE(spokelab_type3_set_points(t, count, sources.data(), targets, ends.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_type3_forward(t, values.data(), found.data()), SPOKELAB_OK);
    QVERIFY(relativeDifference(found, exact) < 1e-8);
    QCOMPARE(spokelab_type3_adjoint(t, found.data(), back.data()), SPOKELAB_OK);
    cdouble left = 0, right = 0;
    for (const cdouble& v : found) left += std::norm(v);
    for (std::size_t i = 0; i < back.size(); ++i) right += std::conj(values[i]) * back[i];
    QVERIFY(std::abs(left - right) < 1e-12 * std::abs(left));
    QVERIFY(spokelab_type3_error(t) > 0 && spokelab_type3_error(t) <= 1e-8);
    QVERIFY(std::string(spokelab_type3_text(t)).starts_with("type 3"));
    QCOMPARE(spokelab_type3_forward_on(t, values.data(), found.data(), nullptr), SPOKELAB_BAD_ARGUMENT);
    QVERIFY(errorText().contains("transform of the CPU"));
    spokelab_type3_destroy(t);
    QCOMPARE(spokelab_type3_tune(context.handle, 2, 1, SPOKELAB_DOUBLE, 2, options.handle, count,
                                 sources.data(), targets, ends.data(), nullptr, nullptr, &t),
             SPOKELAB_OK);
    QCOMPARE(spokelab_type3_forward(t, values.data(), found.data()), SPOKELAB_OK);
    QVERIFY(relativeDifference(found, exact) < 1e-8);
    QVERIFY(std::string(spokelab_type3_text(t)).find("Tuned for forward") != std::string::npos);
    spokelab_type3_destroy(t);

    spokelab_type3* none = nullptr;
    QCOMPARE(spokelab_type3_create(context.handle, 4, 1, SPOKELAB_DOUBLE, 1, nullptr, &none),
             SPOKELAB_FAILED);
    const Options elsewhere{{"backend", "no-such"}};
    QCOMPARE(spokelab_type3_create(context.handle, 2, 1, SPOKELAB_DOUBLE, 1, elsewhere.handle, &none),
             SPOKELAB_FAILED);
    QVERIFY(!none);
  }

  void whatIsWrongIsSaid() {
    const Context context;
    spokelab_scan* scan = nullptr;
    QCOMPARE(spokelab_scan_read(path("none.h5").c_str(), nullptr, 0, nullptr, nullptr, &scan),
             SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("none.h5")), qPrintable(errorText()));
    const std::array<const char*, 1> unknown{"unknown=1"};
    QCOMPARE(spokelab_scan_read(path("none.h5").c_str(), unknown.data(), 1, nullptr, nullptr, &scan),
             SPOKELAB_FAILED);
    const std::array<const char*, 1> malformed{"matrix"};
    QCOMPARE(spokelab_scan_read("demo", malformed.data(), 1, nullptr, nullptr, &scan), SPOKELAB_BAD_ARGUMENT);
    Options options{};
    QCOMPARE(spokelab_options_set(options.handle, "no-such", "1"), SPOKELAB_FAILED);
    QCOMPARE(spokelab_options_set(options.handle, "accuracy", "much"), SPOKELAB_FAILED);
    QVERIFY(!spokelab_options_get(options.handle, "no-such"));
    QCOMPARE(spokelab_options_set(options.handle, "accuracy", "1e-6"), SPOKELAB_OK);
    QCOMPARE(QString::fromUtf8(spokelab_options_get(options.handle, "accuracy")), QStringLiteral("1e-06"));
    QCOMPARE(spokelab_options_set(options.handle, "accuracy", "1e-13"), SPOKELAB_OK);
    const std::array<std::int64_t, 3> size{64, 64, 64};
    spokelab_plan* plan = nullptr;
    QCOMPARE(
        spokelab_plan_create(context.handle, 3, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle, &plan),
        SPOKELAB_FAILED);  // more than floats can do
    QVERIFY(!plan && !errorText().isEmpty());
    const std::array<std::int64_t, 3> huge{1 << 20, 1 << 20, 1 << 20};
    QVERIFY(spokelab_plan_create(context.handle, 3, huge.data(), -1, SPOKELAB_SINGLE, 1, nullptr, &plan) !=
            SPOKELAB_OK);
    const Options gpu{{"backend", "cuda"}};
    if (!spokelab_backend_usable(context.handle, 1))
      QCOMPARE(
          spokelab_plan_create(context.handle, 3, size.data(), -1, SPOKELAB_SINGLE, 1, gpu.handle, &plan),
          SPOKELAB_FAILED);
    QVERIFY(spokelab_plan_create(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, nullptr, &plan) ==
            SPOKELAB_OK);
    const std::array<double, 2> bad{0, std::nan("")};
    QCOMPARE(spokelab_plan_set_points(plan, 1, bad.data()), SPOKELAB_FAILED);
    spokelab_plan_destroy(plan);
  }

  void nothingIsTakenForSomething() {
    const Context context;
    const std::array<std::int64_t, 3> size{8, 8, 8};
    const std::array<double, 3> numbers{};
    spokelab_plan* plan = nullptr;
    spokelab_transform* transform = nullptr;
    spokelab_scan* scan = nullptr;
    spokelab_image* image = nullptr;
    spokelab_context* c = context.handle;
    const auto none = nullptr;
    const std::array<std::int64_t, 2> offsets{0, 1};
    const std::vector<spokelab_status> all{
        spokelab_context_create(none, none),
        spokelab_options_create(none),
        spokelab_options_set(none, "accuracy", "1e-3"),
        spokelab_plan_create(none, 2, size.data(), -1, SPOKELAB_SINGLE, 1, none, &plan),
        spokelab_plan_create(c, 2, none, -1, SPOKELAB_SINGLE, 1, none, &plan),
        spokelab_plan_create(c, 2, size.data(), -1, SPOKELAB_SINGLE, 1, none, none),
        spokelab_plan_create(c, 9, size.data(), -1, SPOKELAB_SINGLE, 1, none, &plan),
        spokelab_plan_create(c, 0, size.data(), -1, SPOKELAB_SINGLE, 1, none, &plan),
        spokelab_plan_create(c, 2, size.data(), 0, SPOKELAB_SINGLE, 1, none, &plan),
        spokelab_plan_create(c, 2, size.data(), -1, spokelab_precision(7), 1, none, &plan),
        spokelab_plan_create(c, 2, size.data(), -1, SPOKELAB_SINGLE, 0, none, &plan),
        spokelab_plan_tune(c, 2, size.data(), -1, SPOKELAB_SINGLE, 1, none, 1, none, none, none, &plan),
        spokelab_plan_tune(c, 2, size.data(), -1, SPOKELAB_SINGLE, 1, none, -1, numbers.data(), none, none,
                           &plan),
        spokelab_plan_set_points(none, 1, numbers.data()),
        spokelab_plan_set_weights(none, 0, none),
        spokelab_plan_forward(none, numbers.data(), none),
        spokelab_gdft_create(c, 2, size.data(), SPOKELAB_SINGLE, 1, none, none, none, none, none, none,
                             &transform),
        spokelab_gdft_forward(none, none, none),
        spokelab_gdft_adjoint_on(none, numbers.data(), none, none),
        spokelab_plan_set_points_on(none, 1, numbers.data(), none),
        spokelab_sense_solve_on(none, none, none, none, none, none, none),
        spokelab_scan_simulate(none, 0, none, none, none, none),
        spokelab_synchronize(none, none),
        spokelab_type3_create(c, 2, 1, SPOKELAB_SINGLE, 1, none, none),
        spokelab_type3_set_points(none, 1, numbers.data(), 1, numbers.data()),
        spokelab_type3_forward(none, numbers.data(), none),
        spokelab_scan_read(none, none, 0, none, none, &scan),
        spokelab_scan_read("demo", none, 1, none, none, &scan),
        spokelab_scan_create(2, size.data(), none, 1, 1, none, numbers.data(), none, SPOKELAB_SINGLE,
                             numbers.data(), &scan),
        spokelab_scan_create(1, size.data(), none, 1, 1, offsets.data(), numbers.data(), none,
                             SPOKELAB_SINGLE, numbers.data(), &scan),
        spokelab_scan_size(none, none),
        spokelab_scan_set_array(none, "FieldMap", 1, size.data(), nullptr),
        spokelab_reconstruct(c, none, none, none, none, &image),
        spokelab_image_size(none, none),
        spokelab_image_write(none, "x.npy")};
    for (std::size_t i = 0; i < all.size(); ++i)
      QVERIFY2(all[i] == SPOKELAB_BAD_ARGUMENT, qPrintable(QStringLiteral("call %1").arg(i)));
    QVERIFY(!plan && !transform && !scan && !image);
    QVERIFY(spokelab_plan_points(none) == -1 && !spokelab_plan_text(none) && !spokelab_scan_json(none));
    QVERIFY(!spokelab_image_values(none) && spokelab_image_frames(none) == -1 &&
            spokelab_scan_coils(none) == -1);
    spokelab_context_destroy(none);
    spokelab_plan_destroy(none);
    spokelab_gdft_destroy(none);
    spokelab_type3_destroy(none);
    spokelab_scan_destroy(none);
    spokelab_image_destroy(none);
    spokelab_options_destroy(none);
  }

  void tablesAndMachines() {
    QCOMPARE(spokelab_abi(), SPOKELAB_ABI);
    QVERIFY(QString::fromUtf8(spokelab_version()).count(QLatin1Char('.')) == 2);
    const int options = spokelab_option_count();
    QCOMPARE(options, int(reconOptionTable().size()));
    for (int i = 0; i < options; ++i) QVERIFY(*spokelab_option_name(i) && *spokelab_option_help(i));
    QVERIFY(!spokelab_option_name(options) && !spokelab_option_name(-1));
    const Context context;
    QCOMPARE(QString::fromUtf8(spokelab_backend_name(context.handle, 0)), QStringLiteral("cpu"));
    QVERIFY(spokelab_backend_usable(context.handle, 0));
    for (int i = 0; i < spokelab_backend_count(context.handle); ++i)
      QVERIFY(*spokelab_backend_text(context.handle, i));
    QVERIFY(!spokelab_backend_name(context.handle, spokelab_backend_count(context.handle)));
  }

  void theLibraryShowsItsHeaderAlone() {
    QProcess nm;
    nm.start(QStringLiteral("nm"),
             {QStringLiteral("-D"), QStringLiteral("--defined-only"), QStringLiteral(SPOKELAB_LIBRARY)});
    if (!nm.waitForStarted()) QSKIP("nm is not installed");
    QVERIFY(nm.waitForFinished());
    int functions = 0;
    for (const QByteArray& line : nm.readAllStandardOutput().split('\n')) {
      const QByteArray name = line.mid(line.lastIndexOf(' ') + 1);
      if (name.isEmpty()) continue;
      QVERIFY2(name.startsWith("spokelab_") || name.startsWith("SPOKELAB_"), name.constData());
      ++functions;
    }
    QVERIFY(functions > 40);
  }
};

SPOKELAB_CORE_TEST(TestCInterface)

}  // namespace test_c_interface

#include "test_c_interface.moc"
