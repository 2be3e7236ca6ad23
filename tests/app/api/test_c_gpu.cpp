// The C interface on a GPU gives what it gives on the CPU, at the accuracy asked, to arrays of the
// host and of the device.
#include <QtTest>

#include "tests/app/api/gpu_plans.h"
#include "tests/test_main.h"

namespace test_c_gpu {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Both plans are as accurate as was asked for.
template <class Complex>
void comparePlans(int dims, const char* normal) {
  constexpr std::int64_t batch = 3;
  const Context context;
  Plan cpu, gpu;
  makePlan<Complex>(cpu, context, "cpu", dims, batch, normal);
  makePlan<Complex>(gpu, context, "cuda", dims, batch, normal);
  QVERIFY(std::string(spokelab_plan_text(gpu.handle)).starts_with("cuda"));
  QVERIFY(spokelab_plan_error(gpu.handle) > 0 && spokelab_plan_error(gpu.handle) <= accuracyOf<Complex>);
  const auto image = randomValues<Complex>(batch * pixelsOf(dims), 2),
             samples = randomValues<Complex>(batch * count, 3);
  std::vector<Complex> forward(samples.size()), adjoint(image.size()), both(image.size());
  ok(spokelab_plan_forward(cpu.handle, image.data(), forward.data()));
  ok(spokelab_plan_adjoint(cpu.handle, samples.data(), adjoint.data()));
  ok(spokelab_plan_normal(cpu.handle, image.data(), both.data()));
  const double tolerance = 2 * accuracyOf<Complex>;

  std::vector<Complex> found(samples.size()), back(image.size()), twice(image);
  ok(spokelab_plan_forward(gpu.handle, image.data(), found.data()));
  ok(spokelab_plan_adjoint(gpu.handle, samples.data(), back.data()));
  ok(spokelab_plan_normal(gpu.handle, twice.data(), twice.data()));
  QVERIFY(relativeDifference(found, forward) < tolerance);
  QVERIFY(relativeDifference(back, adjoint) < tolerance);
  QVERIFY(relativeDifference(twice, both) < 2 * tolerance);

  const DriverStream stream;
  for (DriverHandle callers : {DriverHandle(nullptr), stream.get()}) {
    const OnDevice<Complex> in(image), out(forward.size()), values(samples), pixels(image.size()),
        inPlace(image);
    ok(spokelab_plan_forward_on(gpu.handle, in.get(), out.get(), callers));
    ok(spokelab_plan_adjoint_on(gpu.handle, values.get(), pixels.get(), callers));
    ok(spokelab_plan_normal_on(gpu.handle, inPlace.get(), inPlace.get(), callers));
    stream.synchronize();
    // Calls of one plan are in order, and this one waits.
    ok(spokelab_plan_forward(gpu.handle, image.data(), found.data()));
    QVERIFY(relativeDifference(out.read(), forward) < tolerance);
    QVERIFY(relativeDifference(pixels.read(), adjoint) < tolerance);
    QVERIFY(relativeDifference(inPlace.read(), both) < 2 * tolerance);
  }
}

// The same numbers in memory of the caller, which held no numbers before and serves two plans.
template <class Complex>
void compareLent(int dims, const char* normal) {
  constexpr std::int64_t batch = 3;
  const Context context;
  Plan first, second;
  makePlan<Complex>(first, context, "cuda", dims, batch, normal);
  makePlan<Complex>(second, context, "cuda", dims, batch, normal);
  const auto image = randomValues<Complex>(batch * pixelsOf(dims), 2),
             samples = randomValues<Complex>(batch * count, 3);
  const DriverStream stream;
  const OnDevice<Complex> in(image), values(samples), out(samples.size()), pixels(image.size()),
      both(image.size());
  const auto requireSame = [&](const Plan& plan, const std::array<std::vector<Complex>, 3>& expected) {
    for (int call = 0; call < 4; ++call) {  // the third one is recorded
      ok(spokelab_plan_forward_on(plan.handle, in.get(), out.get(), stream.get()));
      ok(spokelab_plan_adjoint_on(plan.handle, values.get(), pixels.get(), stream.get()));
      ok(spokelab_plan_normal_on(plan.handle, in.get(), both.get(), stream.get()));
    }
    stream.synchronize();
    const double tolerance = isDouble<Complex> ? 1e-13 : 1e-5;  // sums in another order
    QVERIFY(relativeDifference(out.read(), expected[0]) < tolerance);
    QVERIFY(relativeDifference(pixels.read(), expected[1]) < tolerance);
    QVERIFY(relativeDifference(both.read(), expected[2]) < tolerance);
  };
  std::array<std::vector<Complex>, 3> expected{samples, image, image};
  ok(spokelab_plan_forward(first.handle, image.data(), expected[0].data()));
  ok(spokelab_plan_adjoint(first.handle, samples.data(), expected[1].data()));
  ok(spokelab_plan_normal(first.handle, image.data(), expected[2].data()));

  const std::int64_t needed = spokelab_plan_workspace_bytes(first.handle);
  QVERIFY(needed > batch * pixelsOf(dims) * std::int64_t(sizeof(Complex)) / 3);  // a grid
  const std::vector<unsigned char> noNumbers(std::size_t(needed) + 2, 0xFF);
  OnDevice<unsigned char> memory(noNumbers);
  auto* const odd = static_cast<unsigned char*>(memory.get()) + 1;
  ok(spokelab_plan_set_workspace_on(first.handle, odd, needed));
  requireSame(first, expected);
  ok(spokelab_plan_set_workspace_on(second.handle, odd, needed));
  memory.write(noNumbers);
  for (const Plan* plan : {&second, &first, &second}) requireSame(*plan, expected);
  ok(spokelab_plan_set_points(second.handle, count, randomPoints(dims).data()));
  requireSame(second, expected);
  QCOMPARE(memory.read().back(), noNumbers.back());  // nothing beyond the end

  QCOMPARE(spokelab_plan_set_workspace_on(first.handle, odd, needed - 1), SPOKELAB_FAILED);
  QVERIFY(errorText().contains(QString::number(needed)));
  std::vector<unsigned char> host(noNumbers);
  QCOMPARE(spokelab_plan_set_workspace(first.handle, host.data(), needed), SPOKELAB_BAD_ARGUMENT);
  QCOMPARE(spokelab_plan_set_workspace_on(first.handle, host.data(), needed), SPOKELAB_FAILED);
  QVERIFY2(errorText().contains(QLatin1String("memory of a GPU")), qPrintable(errorText()));
  requireSame(first, expected);  // a refusal changes nothing
  ok(spokelab_plan_set_workspace_on(first.handle, nullptr, 0));
  memory.write(noNumbers);
  requireSame(first, expected);
  QCOMPARE(memory.read(), noNumbers);
}

template <class Complex>
void compareType3(int dims) {
  constexpr std::int64_t batch = 2;
  const std::vector<double> sources = randomPoints(dims, 3), targets = randomPoints(dims, dims == 3 ? 4 : 9);
  const Context context;
  Type3 cpu, gpu;
  for (auto& [transform, backend] : {std::pair<Type3&, const char*>(cpu, "cpu"), {gpu, "cuda"}}) {
    const Options options{{"accuracy", accuracyText<Complex>}, {"backend", backend}};
    ok(spokelab_type3_create(context.handle, dims, 1, precisionOf<Complex>, batch, options.handle,
                             &transform.handle));
    ok(spokelab_type3_set_points(transform.handle, count, sources.data(), count, targets.data()));
  }
  QVERIFY(QString::fromUtf8(spokelab_type3_text(gpu.handle)).contains(QLatin1String("cuda")));
  const auto values = randomValues<Complex>(batch * count, 5);
  std::vector<Complex> forward(values.size()), adjoint(values), found(values), back(values);
  ok(spokelab_type3_forward(cpu.handle, values.data(), forward.data()));
  ok(spokelab_type3_adjoint(cpu.handle, values.data(), adjoint.data()));
  ok(spokelab_type3_forward(gpu.handle, values.data(), found.data()));
  ok(spokelab_type3_adjoint(gpu.handle, values.data(), back.data()));
  const double tolerance = 2 * accuracyOf<Complex>;
  QVERIFY(relativeDifference(found, forward) < tolerance);
  QVERIFY(relativeDifference(back, adjoint) < tolerance);
  const DriverStream stream;
  const OnDevice<Complex> in(values), out(values.size()), pixels(values.size());
  ok(spokelab_type3_forward_on(gpu.handle, in.get(), out.get(), stream.get()));
  ok(spokelab_type3_adjoint_on(gpu.handle, in.get(), pixels.get(), stream.get()));
  stream.synchronize();
  QVERIFY(relativeDifference(out.read(), forward) < tolerance);
  QVERIFY(relativeDifference(pixels.read(), adjoint) < tolerance);
  QCOMPARE(spokelab_type3_forward_on(cpu.handle, in.get(), out.get(), nullptr), SPOKELAB_BAD_ARGUMENT);
}

}  // namespace

class TestCGpu : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void plansGiveWhatTheCpuGives_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<QByteArray>("normal");
    for (int dims = 1; dims <= 3; ++dims)
      for (const char* normal : {"gridded", "toeplitz"})
        QTest::addRow("%d-D, %s", dims, normal) << dims << QByteArray(normal);
  }
  void plansGiveWhatTheCpuGives() {
    NEEDS_C_GPU();
    QFETCH(int, dims);
    QFETCH(QByteArray, normal);
    comparePlans<cfloat>(dims, normal.constData());
    comparePlans<cdouble>(dims, normal.constData());
  }

  void executionsWorkInLentMemory_data() {
    QTest::addColumn<int>("dims");
    QTest::addColumn<QByteArray>("normal");
    for (int dims = 1; dims <= 3; ++dims)
      for (const char* normal : {"gridded", "toeplitz", "auto"})
        QTest::addRow("%d-D, %s", dims, normal) << dims << QByteArray(normal);
  }
  void executionsWorkInLentMemory() {
    NEEDS_C_GPU();
    QFETCH(int, dims);
    QFETCH(QByteArray, normal);
    compareLent<cfloat>(dims, normal.constData());
    compareLent<cdouble>(dims, normal.constData());
  }

  // Several sets, the last one without points, take lent memory too.
  void setsWorkInLentMemory() {
    NEEDS_C_GPU();
    const Context context;
    const Options options{{"accuracy", "1e-4"}, {"backend", "cuda"}, {"normal", "gridded"}};
    Plan plan;
    constexpr std::int64_t sets = 3;
    ok(spokelab_plan_create_sets(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 2, sets, options.handle,
                                 &plan.handle));
    const std::array<std::int64_t, sets + 1> offsets{0, 300, count, count};
    const std::vector<double> points = randomPoints(2);
    ok(spokelab_plan_set_point_sets(plan.handle, offsets.data(), points.data()));
    const auto image = randomValues<cfloat>(2 * sets * pixelsOf(2), 2);
    std::vector<cfloat> expected(2 * count), found(expected), both(image.size()), again(image.size());
    ok(spokelab_plan_forward(plan.handle, image.data(), expected.data()));
    ok(spokelab_plan_normal(plan.handle, image.data(), both.data()));
    const std::int64_t needed = spokelab_plan_workspace_bytes(plan.handle);
    const OnDevice<unsigned char> memory(std::vector<unsigned char>(std::size_t(needed), 0xFF));
    ok(spokelab_plan_set_workspace_on(plan.handle, memory.get(), needed));
    ok(spokelab_plan_forward(plan.handle, image.data(), found.data()));
    ok(spokelab_plan_normal(plan.handle, image.data(), again.data()));
    QVERIFY(relativeDifference(found, expected) < 1e-5);
    QVERIFY(relativeDifference(again, both) < 1e-5);
  }

  void tunedPlansDoToo() {
    NEEDS_C_GPU();
    const Context context;
    Plan cpu, tuned;
    makePlan<cfloat>(cpu, context, "cpu", 2, 1);
    const Options options{{"accuracy", "1e-4"}, {"backend", "cuda"}, {"time-limit", "2"}};
    const std::vector<double> points = randomPoints(2);
    ok(spokelab_plan_tune(context.handle, 2, size.data(), -1, SPOKELAB_SINGLE, 1, options.handle, count,
                          points.data(), nullptr, nullptr, &tuned.handle));
    QVERIFY(std::string(spokelab_plan_text(tuned.handle)).starts_with("cuda"));
    const auto image = randomValues<cfloat>(pixelsOf(2), 2);
    std::vector<cfloat> wanted(count), found(count);
    ok(spokelab_plan_forward(cpu.handle, image.data(), wanted.data()));
    const OnDevice<cfloat> in(image), out(count);
    const DriverStream stream;
    ok(spokelab_plan_forward_on(tuned.handle, in.get(), out.get(), stream.get()));
    stream.synchronize();
    QVERIFY(relativeDifference(out.read(), wanted) < 2 * singleAccuracy);
  }

  // On one stream, at once: the points are set, and set again, between transforms.
  void pointsOnTheDevice() {
    NEEDS_C_GPU();
    const Context context;
    for (const char* normal : {"gridded", "toeplitz"}) {
      Plan cpu, gpu;
      makePlan<cfloat>(cpu, context, "cpu", 2, 1, normal);
      makePlan<cfloat>(gpu, context, "cuda", 2, 1, normal);
      const std::vector<double> points = randomPoints(2, 0.9);
      const auto image = randomValues<cfloat>(pixelsOf(2), 2);
      std::vector<cfloat> before(count), after(count), both(image.size());
      ok(spokelab_plan_forward(cpu.handle, image.data(), before.data()));
      ok(spokelab_plan_set_points(cpu.handle, count, points.data()));
      ok(spokelab_plan_forward(cpu.handle, image.data(), after.data()));
      ok(spokelab_plan_normal(cpu.handle, image.data(), both.data()));
      const DriverStream stream;
      const OnDevice<double> first(randomPoints(2)), second(points);
      const OnDevice<cfloat> in(image), out1(count), out2(count), twice(image.size());
      ok(spokelab_plan_set_points_on(gpu.handle, count, static_cast<const double*>(first.get()),
                                     stream.get()));
      ok(spokelab_plan_forward_on(gpu.handle, in.get(), out1.get(), stream.get()));
      ok(spokelab_plan_set_points_on(gpu.handle, count, static_cast<const double*>(second.get()),
                                     stream.get()));
      ok(spokelab_plan_forward_on(gpu.handle, in.get(), out2.get(), stream.get()));
      ok(spokelab_plan_normal_on(gpu.handle, in.get(), twice.get(), stream.get()));
      stream.synchronize();
      QVERIFY(relativeDifference(out1.read(), before) < 2 * singleAccuracy);
      QVERIFY(relativeDifference(out2.read(), after) < 2 * singleAccuracy);
      QVERIFY(relativeDifference(twice.read(), both) < 4 * singleAccuracy);
      QCOMPARE(spokelab_plan_set_points_on(gpu.handle, count, points.data(), nullptr), SPOKELAB_FAILED);
      QVERIFY2(errorText().contains(QLatin1String("memory of a GPU")), qPrintable(errorText()));
    }
  }

  void type3GivesWhatTheCpuGives() {
    NEEDS_C_GPU();
    for (int dims = 1; dims <= 3; ++dims) {
      compareType3<cfloat>(dims);
      compareType3<cdouble>(dims);
    }
  }

  void exactTransformsGiveWhatTheCpuGives() {
    NEEDS_C_GPU();
    const Context context;
    std::vector<double> points = randomPoints(2), times, field;
    for (std::int64_t j = 0; j < count; ++j) {
      points[std::size_t(2 * j)] *= double(size[0]);
      points[std::size_t(2 * j + 1)] *= double(size[1]);
      times.push_back(5e-3 * double(j) / double(count));
    }
    for (const cdouble& v : randomValues<cdouble>(pixelsOf(2), 4)) field.push_back(300 * v.real());
    const auto image = randomValues<cdouble>(pixelsOf(2), 2), samples = randomValues<cdouble>(count, 3);
    std::array<std::vector<cdouble>, 2> forward, adjoint;
    for (std::size_t i = 0; i < 2; ++i) {
      const Options options{{"backend", i ? "cuda" : "cpu"}};
      Gdft t;
      ok(spokelab_gdft_create(context.handle, 2, size.data(), SPOKELAB_DOUBLE, count, points.data(),
                              times.data(), field.data(), nullptr, nullptr, options.handle, &t.handle));
      forward[i].resize(count);
      adjoint[i].resize(image.size());
      ok(spokelab_gdft_forward(t.handle, image.data(), forward[i].data()));
      ok(spokelab_gdft_adjoint(t.handle, samples.data(), adjoint[i].data()));
      const DriverStream first, second;
      const OnDevice<cdouble> in(image), out(count), values(samples), pixels(image.size());
      if (i == 0) {
        QCOMPARE(spokelab_gdft_forward_on(t.handle, in.get(), out.get(), nullptr), SPOKELAB_BAD_ARGUMENT);
        continue;
      }
      ok(spokelab_gdft_forward_on(t.handle, in.get(), out.get(), first.get()));
      ok(spokelab_gdft_adjoint_on(t.handle, values.get(), pixels.get(), second.get()));
      ok(spokelab_synchronize(context.handle, first.get()));
      QVERIFY(relativeDifference(out.read(), forward[1]) < 1e-12);
      ok(spokelab_synchronize(context.handle, nullptr));
      QVERIFY(relativeDifference(pixels.read(), adjoint[1]) < 1e-12);
      QCOMPARE(spokelab_gdft_forward_on(t.handle, image.data(), out.get(), nullptr), SPOKELAB_FAILED);
      QVERIFY2(errorText().contains(QLatin1String("memory of a GPU")), qPrintable(errorText()));
    }
    constexpr double rounding = 1e-11;  // of the phases of double sums
    QVERIFY(relativeDifference(forward[1], forward[0]) < rounding);
    QVERIFY(relativeDifference(adjoint[1], adjoint[0]) < rounding);
  }

  void senseGivesWhatTheCpuGives() {
    NEEDS_C_GPU();
    constexpr std::int64_t coils = 2, samples = 1400;
    const Context context;
    std::mt19937 random(3);
    std::vector<double> points = uniformPoints(random, samples, 2);
    for (std::size_t i = 0; i < points.size(); ++i) points[i] *= double(size[i % 2]);
    const std::int64_t pixels = pixelsOf(2);
    std::vector<cfloat> maps;
    for (std::int64_t c = 0; c < coils; ++c)
      for (std::int64_t n = 0; n < pixels; ++n)
        maps.push_back(std::polar(1.0F + 0.2F * float(c), 0.05F * float(n % size[0])));
    const auto values = randomValues<cfloat>(coils * samples, 6);
    for (const bool dbl : {false, true}) {
      std::array<std::vector<cdouble>, 2> found;
      for (std::size_t i = 0; i < 2; ++i) {
        const Options options{{"backend", i ? "cuda" : "cpu"},
                              {"iterations", "8"},
                              {"tolerance", "0"},
                              {"lambda", "1e-2"},
                              {"accuracy", "1e-5"}};
        Sense sense;
        ok(spokelab_sense_create(context.handle, 2, size.data(), dbl ? SPOKELAB_DOUBLE : SPOKELAB_SINGLE,
                                 int(coils), reinterpret_cast<const float*>(maps.data()), samples,
                                 points.data(), options.handle, &sense.handle));
        if (dbl) {
          const std::vector<cdouble> given(values.begin(), values.end());
          found[i].resize(std::size_t(pixels));
          ok(spokelab_sense_solve(sense.handle, given.data(), nullptr, nullptr, nullptr, found[i].data()));
          const OnDevice<cdouble> in(given), out(found[i].size());
          const auto onDevice =
              spokelab_sense_solve_on(sense.handle, in.get(), nullptr, nullptr, nullptr, out.get(), nullptr);
          QCOMPARE(onDevice, i == 0 ? SPOKELAB_BAD_ARGUMENT : SPOKELAB_OK);
          if (i == 1) QVERIFY(relativeDifference(out.read(), found[i]) < 1e-10);
        } else {
          std::vector<cfloat> image(static_cast<std::size_t>(pixels));
          ok(spokelab_sense_solve(sense.handle, values.data(), nullptr, nullptr, nullptr, image.data()));
          found[i].assign(image.begin(), image.end());
          const DriverStream stream;
          const OnDevice<cfloat> in(values), out(image.size());
          const auto solveOn = [&](const void* from) {
            return spokelab_sense_solve_on(sense.handle, from, nullptr, nullptr, nullptr, out.get(),
                                           stream.get());
          };
          if (i == 0) {
            QCOMPARE(solveOn(in.get()), SPOKELAB_BAD_ARGUMENT);
          } else {
            ok(solveOn(in.get()));
            QVERIFY(relativeDifference(out.read(), image) < 1e-4);
            QCOMPARE(spokelab_sense_iterations(sense.handle), 8);
            QCOMPARE(solveOn(values.data()), SPOKELAB_FAILED);
            QVERIFY2(errorText().contains(QLatin1String("memory of a GPU")), qPrintable(errorText()));
            std::vector<cfloat> again(image.size());  // host arrays after device arrays
            ok(spokelab_sense_solve(sense.handle, values.data(), nullptr, nullptr, nullptr, again.data()));
            QVERIFY(relativeDifference(again, image) < 1e-4);
          }
        }
        QCOMPARE(spokelab_sense_iterations(sense.handle), 8);
      }
      constexpr double tolerance = 1e-3;  // eight normals amplify the accuracy of one
      QVERIFY2(relativeDifference(found[1], found[0]) < tolerance,
               qPrintable(QString::number(relativeDifference(found[1], found[0]))));
    }
  }
};

SPOKELAB_TEST(TestCGpu)

}  // namespace test_c_gpu

#include "test_c_gpu.moc"
