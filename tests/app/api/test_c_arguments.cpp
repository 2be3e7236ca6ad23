// Every function of spokelab.h with NaN, infinities, -1, null pointers and huge counts in every
// argument.
#include "tests/app/api/argument_walk.h"

#include <QFile>
#include <QRegularExpression>
#include <QTemporaryDir>

#include "tests/app/api/c_handles.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_c_arguments {

using namespace spokelab::test;

namespace {

constexpr int64_t n = 8, pixels = n * n, samples = 60;

std::vector<double> pointsUpTo(double reach) {
  std::vector<double> points;
  for (int64_t j = 0; j < 2 * samples; ++j) points.push_back(reach * std::sin(1.7 * double(j)));
  return points;
}

// Whatever a call makes is ended again, also where it should not have been made.
template <class Handle, class Make>
spokelab_status made(const Make& make, void (*destroy)(Handle*), void* out) {
  Handle* handle = nullptr;
  const spokelab_status status = make(out ? &handle : nullptr);
  destroy(handle);
  return status;
}

using Doubles = Array<double>;
using Samples = Array<double, const void*>;
using Count = Number<int64_t>;
using Offsets = Array<int64_t>;

class TestCArguments : public QObject {
  Q_OBJECT
  Context context_;
  const std::vector<int64_t> size_{n, n};
  const Given<void*> out_{this};
  const Given<spokelab_options*> noOptions_{nullptr, Bad::maybe};
  int calls_ = 0;

  template <class... All>
  void walkAll(const char* name, const All&... all) {
    calls_ += walk(name, all...);
  }
  Given<spokelab_context*> context() const { return {context_.handle}; }
  static Number<int> dims(int good = 2) { return {good}; }
  Offsets size() const { return {size_, Bad::refused, Bad::refused, Bad::refused}; }

 private Q_SLOTS:
  void plans() {
    const auto points = pointsUpTo(0.5);
    walkAll(
        "spokelab_plan_create",
        [](spokelab_context* c, int d, const int64_t* s, int sign, int p, int64_t batch, auto* o, void* out) {
          return made<spokelab_plan>(
              [&](auto** plan) {
                return spokelab_plan_create(c, d, s, sign, spokelab_precision(p), batch, o, plan);
              },
              spokelab_plan_destroy, out);
        },
        context(), dims(), size(), Number<int>{1, Bad::maybe}, Number<int>{SPOKELAB_DOUBLE}, Count{2},
        noOptions_, out_);
    walkAll(
        "spokelab_plan_create_sets",
        [](spokelab_context* c, int d, const int64_t* s, int64_t batch, int64_t sets, void* out) {
          return made<spokelab_plan>(
              [&](auto** plan) {
                return spokelab_plan_create_sets(c, d, s, 1, SPOKELAB_SINGLE, batch, sets, nullptr, plan);
              },
              spokelab_plan_destroy, out);
        },
        context(), dims(), size(), Count{1}, Count{3}, out_);
    const Options quick{{"time-limit", "0.05"}};
    walkAll(
        "spokelab_plan_tune",
        [&](spokelab_context* c, int d, const int64_t* s, int64_t count, const double* x, void* out) {
          return made<spokelab_plan>(
              [&](auto** plan) {
                return spokelab_plan_tune(c, d, s, 1, SPOKELAB_SINGLE, 1, quick.handle, count, x, nullptr,
                                          nullptr, plan);
              },
              spokelab_plan_destroy, out);
        },
        context(), dims(), size(), Count{samples}, Doubles{points}, out_);

    spokelab_plan* plan = nullptr;
    QCOMPARE(spokelab_plan_create(context_.handle, 2, size_.data(), -1, SPOKELAB_DOUBLE, 1, nullptr, &plan),
             SPOKELAB_OK);
    walkAll("spokelab_plan_set_points", spokelab_plan_set_points, Given<spokelab_plan*>{plan}, Count{samples},
            Doubles{points});
    QCOMPARE(spokelab_plan_set_points(plan, samples, points.data()), SPOKELAB_OK);
    walkAll("spokelab_plan_set_weights", spokelab_plan_set_weights, Given<spokelab_plan*>{plan},
            Count{samples}, Doubles{std::vector<double>(samples, 1.0)});
    const Samples image{std::vector<double>(2 * pixels, 1.0), Bad::maybe},
        values{std::vector<double>(2 * samples, 1.0), Bad::maybe};
    const Room<double> toImage{std::vector<double>(2 * pixels)}, toValues{std::vector<double>(2 * samples)};
    const Given<spokelab_plan*> p{plan};
    walkAll("spokelab_plan_forward", spokelab_plan_forward, p, image, toValues);
    walkAll("spokelab_plan_adjoint", spokelab_plan_adjoint, p, values, toImage);
    walkAll("spokelab_plan_normal", spokelab_plan_normal, p, image, toImage);
    QCOMPARE(spokelab_plan_workspace_bytes(nullptr), -1);
    walkAll(
        "spokelab_plan_set_workspace",
        [](spokelab_plan* lends) { return spokelab_plan_set_workspace(lends, nullptr, 0); }, p);
    std::vector<char> workspace(std::size_t(spokelab_plan_workspace_bytes(plan)));
    for (const int64_t bytes : {int64_t(-1), int64_t(0), INT64_MIN})
      QCOMPARE(spokelab_plan_set_workspace(plan, workspace.data(), bytes), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_plan_set_workspace(plan, workspace.data(), 1), SPOKELAB_FAILED);
    QCOMPARE(spokelab_plan_set_workspace_on(plan, workspace.data(), int64_t(workspace.size())),
             SPOKELAB_BAD_ARGUMENT);  // a plan of the CPU
    walkAll(
        "spokelab_plan_set_workspace_on",
        [](spokelab_plan* lends) { return spokelab_plan_set_workspace_on(lends, nullptr, 0); }, p);
    QCOMPARE(spokelab_plan_set_workspace(plan, nullptr, -1), SPOKELAB_OK);
    spokelab_plan_destroy(plan);

    spokelab_plan* sets = nullptr;
    QCOMPARE(spokelab_plan_create_sets(context_.handle, 2, size_.data(), -1, SPOKELAB_DOUBLE, 1, 2, nullptr,
                                       &sets),
             SPOKELAB_OK);
    walkAll("spokelab_plan_set_point_sets", spokelab_plan_set_point_sets, Given<spokelab_plan*>{sets},
            Offsets{{0, samples / 2, samples}, Bad::refused, Bad::refused, Bad::refused}, Doubles{points});
    spokelab_plan_destroy(sets);
  }

  void type3() {
    walkAll(
        "spokelab_type3_create",
        [](spokelab_context* c, int d, int sign, int p, int64_t batch, auto* o, void* out) {
          return made<spokelab_type3>(
              [&](auto** t) { return spokelab_type3_create(c, d, sign, spokelab_precision(p), batch, o, t); },
              spokelab_type3_destroy, out);
        },
        context(), dims(), Number<int>{1, Bad::maybe}, Number<int>{SPOKELAB_DOUBLE},
        Number<int64_t>{1, Bad::refused, Bad::maybe}, noOptions_, out_);
    const auto points = pointsUpTo(2);
    const Options quick{{"trials", "1"}};
    walkAll(
        "spokelab_type3_tune",
        [&](spokelab_context* c, int d, int64_t sources, const double* x, int64_t targets, const double* s,
            void* out) {
          return made<spokelab_type3>(
              [&](auto** tuned) {
                return spokelab_type3_tune(c, d, 1, SPOKELAB_SINGLE, 1, quick.handle, sources, x, targets, s,
                                           nullptr, nullptr, tuned);
              },
              spokelab_type3_destroy, out);
        },
        context(), dims(), Count{samples}, Doubles{pointsUpTo(3)}, Count{samples}, Doubles{pointsUpTo(3)},
        out_);
    spokelab_type3* type3 = nullptr;
    QCOMPARE(spokelab_type3_create(context_.handle, 2, -1, SPOKELAB_DOUBLE, 1, nullptr, &type3), SPOKELAB_OK);
    const Given<spokelab_type3*> t{type3};
    walkAll("spokelab_type3_set_points", spokelab_type3_set_points, t, Count{samples}, Doubles{points},
            Count{samples}, Doubles{points});
    const Samples values{std::vector<double>(2 * samples, 1.0), Bad::maybe};
    const Room<double> room{std::vector<double>(2 * samples)};
    QCOMPARE(spokelab_type3_set_points(type3, samples, points.data(), samples, points.data()), SPOKELAB_OK);
    walkAll("spokelab_type3_forward", spokelab_type3_forward, t, values, room);
    walkAll("spokelab_type3_adjoint", spokelab_type3_adjoint, t, values, room);
    spokelab_type3_destroy(type3);
  }

  void exactTransforms() {
    const Doubles map{std::vector<double>(pixels, 3.0), Bad::refused, Bad::maybe};
    walkAll(
        "spokelab_gdft_create",
        [](spokelab_context* c, int d, const int64_t* s, int p, int64_t count, const double* x,
           const double* times, const double* field, const double* decay, const double* gradient, auto* o,
           void* out) {
          return made<spokelab_transform>(
              [&](auto** t) {
                return spokelab_gdft_create(c, d, s, spokelab_precision(p), count, x, times, field, decay,
                                            gradient, o, t);
              },
              spokelab_gdft_destroy, out);
        },
        context(), dims(), size(), Number<int>{SPOKELAB_DOUBLE}, Count{samples}, Doubles{pointsUpTo(3)},
        Doubles{std::vector<double>(samples, 0.001)}, map, map,
        Doubles{std::vector<double>(2 * pixels, 0.1), Bad::refused, Bad::maybe}, noOptions_, out_);
    walkAll(
        "spokelab_gdft_create_at",
        [](spokelab_context* c, int d, const int64_t* s, int p, int64_t places, const double* r,
           int64_t count, const double* x, const double* times, const double* field, const double* decay,
           const double* gradient, auto* o, void* out) {
          return made<spokelab_transform>(
              [&](auto** t) {
                return spokelab_gdft_create_at(c, d, s, spokelab_precision(p), places, r, count, x, times,
                                               field, decay, gradient, o, t);
              },
              spokelab_gdft_destroy, out);
        },
        context(), dims(), size(), Number<int>{SPOKELAB_DOUBLE}, Count{pixels},
        Doubles{std::vector<double>(2 * pixels, 0.25)}, Count{samples}, Doubles{pointsUpTo(3)},
        Doubles{std::vector<double>(samples, 0.001)}, map, map,
        Doubles{std::vector<double>(2 * pixels, 0.1), Bad::refused, Bad::maybe}, noOptions_, out_);
    spokelab_transform* transform = nullptr;
    QCOMPARE(
        spokelab_gdft_create(context_.handle, 2, size_.data(), SPOKELAB_DOUBLE, samples, pointsUpTo(3).data(),
                             nullptr, nullptr, nullptr, nullptr, nullptr, &transform),
        SPOKELAB_OK);
    const Given<spokelab_transform*> t{transform};
    walkAll("spokelab_gdft_forward", spokelab_gdft_forward, t,
            Samples{std::vector<double>(2 * pixels, 1.0), Bad::maybe},
            Room<double>{std::vector<double>(2 * samples)});
    walkAll("spokelab_gdft_adjoint", spokelab_gdft_adjoint, t,
            Samples{std::vector<double>(2 * samples, 1.0), Bad::maybe},
            Room<double>{std::vector<double>(2 * pixels)});
    spokelab_gdft_destroy(transform);
  }

  void density() {
    walkAll(
        "spokelab_density_weights",
        [](spokelab_context* c, int d, const int64_t* s, int64_t shots, const int64_t* offsets,
           const double* x, auto* o, void* out) {
          return spokelab_density_weights(c, d, s, shots, offsets, x, o, nullptr, nullptr,
                                          static_cast<double*>(out));
        },
        context(), dims(), size(), Count{2},
        Offsets{{0, samples / 2, samples}, Bad::refused, Bad::refused, Bad::refused}, Doubles{pointsUpTo(3)},
        noOptions_, Room<double>{std::vector<double>(samples)});
  }

  void sense() {
    constexpr int coils = 2;
    const Array<float> maps{std::vector<float>(2 * coils * pixels, 0.5F)};
    const auto points = pointsUpTo(3.9);
    walkAll(
        "spokelab_sense_create",
        [](spokelab_context* c, int d, const int64_t* s, int p, int count, const float* m, int64_t all,
           const double* x, auto* o, void* out) {
          return made<spokelab_sense>(
              [&](auto** sense) {
                return spokelab_sense_create(c, d, s, spokelab_precision(p), count, m, all, x, o, sense);
              },
              spokelab_sense_destroy, out);
        },
        context(), dims(), size(), Number<int>{SPOKELAB_DOUBLE}, Number<int>{coils}, maps, Count{samples},
        Doubles{points}, noOptions_, out_);
    spokelab_sense* sense = nullptr;
    QCOMPARE(spokelab_sense_create(context_.handle, 2, size_.data(), SPOKELAB_DOUBLE, coils, maps.good.data(),
                                   samples, points.data(), nullptr, &sense),
             SPOKELAB_OK);
    const Given<spokelab_sense*> s{sense};
    walkAll("spokelab_sense_set_weights", spokelab_sense_set_weights, s,
            Doubles{std::vector<double>(samples, 1.0), Bad::refused, Bad::maybe, Bad::refused});
    const std::vector<double> none(samples, 0.0);
    QCOMPARE(spokelab_sense_set_weights(sense, none.data()), SPOKELAB_FAILED);
    QCOMPARE(spokelab_sense_set_weights(sense, nullptr), SPOKELAB_OK);
    const Doubles map{std::vector<double>(pixels, 3.0), Bad::refused, Bad::maybe};
    walkAll("spokelab_sense_set_phases", spokelab_sense_set_phases, s, Number<int64_t>{2},
            Offsets{{0, 20, samples}, Bad::refused, Bad::refused, Bad::refused},
            Doubles{std::vector<double>(2 * pixels, 0.3)});
    QCOMPARE(spokelab_sense_set_phases(sense, 0, nullptr, nullptr), SPOKELAB_OK);
    walkAll("spokelab_sense_set_field", spokelab_sense_set_field, s,
            Doubles{std::vector<double>(samples, 0.001)}, map, map,
            Doubles{std::vector<double>(2 * pixels, 0.1), Bad::refused, Bad::maybe});
    QCOMPARE(spokelab_sense_set_field(sense, nullptr, nullptr, nullptr, nullptr), SPOKELAB_OK);
    walkAll(
        "spokelab_sense_solve",
        [](spokelab_sense* handle, const void* values, auto* o, void* image) {
          return spokelab_sense_solve(handle, values, o, nullptr, nullptr, image);
        },
        s, Samples{std::vector<double>(2 * coils * samples, 1.0)}, noOptions_,
        Room<double>{std::vector<double>(2 * pixels)});
    spokelab_sense_destroy(sense);
  }

  void noiseAndLambda() {
    spokelab_scan* scan = nullptr;
    QCOMPARE(spokelab_scan_simulate(texts_, 1, nullptr, nullptr, &scan, nullptr), SPOKELAB_OK);
    walkAll(
        "spokelab_noise_maps",
        [](spokelab_context* c, spokelab_scan* s, auto* o, int replicas, double sigma, void* out) {
          spokelab_image* maps[3] = {};
          const spokelab_status status =
              spokelab_noise_maps(c, s, o, replicas, sigma, 1, nullptr, nullptr, out ? maps : nullptr);
          for (spokelab_image* image : maps) spokelab_image_destroy(image);
          return status;
        },
        context(), Given<spokelab_scan*>{scan}, noOptions_, Number<int>{2},
        Number<double>{0.1, Bad::refused, Bad::maybe}, out_);
    walkAll(
        "spokelab_lambda_range_create",
        [](spokelab_context* c, spokelab_scan* s, auto* o, double low, double high, int values, double out,
           double sigma, void* place) {
          return made<spokelab_lambda_range>(
              [&](auto** range) {
                return spokelab_lambda_range_create(c, s, o, low, high, values, out, sigma, nullptr, nullptr,
                                                    range);
              },
              spokelab_lambda_range_destroy, place);
        },
        context(), Given<spokelab_scan*>{scan}, noOptions_, Number<double>{0.01},
        Number<double>{1, Bad::refused, Bad::maybe}, Number<int>{3}, Number<double>{0.1},
        Number<double>{0, Bad::refused, Bad::maybe}, out_);
    spokelab_lambda_range* range = nullptr;
    QCOMPARE(spokelab_lambda_range_create(context_.handle, scan, nullptr, 0.01, 1, 3, 0, 0, nullptr, nullptr,
                                          &range),
             SPOKELAB_OK);
    QVERIFY(QByteArray(spokelab_lambda_range_json(range)).contains("\"corner\""));
    QVERIFY(!spokelab_lambda_range_json(nullptr));
    walkAll(
        "spokelab_lambda_range_image",
        [](spokelab_lambda_range* r, double lambda, void* out) {
          return made<spokelab_image>(
              [&](auto** image) { return spokelab_lambda_range_image(r, lambda, image); },
              spokelab_image_destroy, out);
        },
        Given<spokelab_lambda_range*>{range}, Number<double>{0.1, Bad::refused, Bad::maybe}, out_);
    spokelab_lambda_range_destroy(range);
    spokelab_scan_destroy(scan);
  }

  void scans() {
    const std::vector<double> fov{200, 200};
    walkAll(
        "spokelab_scan_create",
        [](int d, const int64_t* s, const double* f, int coils, int64_t shots, const int64_t* offsets,
           const double* x, const double* times, int p, const void* values, void* out) {
          return made<spokelab_scan>(
              [&](auto** scan) {
                return spokelab_scan_create(d, s, f, coils, shots, offsets, x, times, spokelab_precision(p),
                                            values, scan);
              },
              spokelab_scan_destroy, out);
        },
        dims(), size(), Doubles{fov, Bad::refused, Bad::maybe, Bad::refused}, Number<int>{1}, Count{2},
        Offsets{{0, samples / 2, samples}, Bad::refused, Bad::refused, Bad::refused}, Doubles{pointsUpTo(3)},
        Doubles{std::vector<double>(samples, 0.001), Bad::refused, Bad::maybe}, Number<int>{SPOKELAB_DOUBLE},
        Samples{std::vector<double>(2 * samples, 1.0)}, out_);
    walkAll(
        "spokelab_scan_simulate",
        [](const char* const* texts, int count, void* out) {
          return made<spokelab_scan>(
              [&](auto** scan) {
                return spokelab_scan_simulate(texts, count, nullptr, nullptr, scan, nullptr);
              },
              spokelab_scan_destroy, out);
        },
        Given<const char* const*>{texts_}, Number<int>{1}, out_);
    walkAll(
        "spokelab_scan_read",
        [](const char* file, int count, void* out) {
          return made<spokelab_scan>(
              [&](auto** scan) { return spokelab_scan_read(file, nullptr, count, nullptr, nullptr, scan); },
              spokelab_scan_destroy, out);
        },
        Given<const char*>{"demo"}, Number<int>{0}, out_);
    spokelab_scan* scan = nullptr;
    QCOMPARE(spokelab_scan_simulate(texts_, 1, nullptr, nullptr, &scan, nullptr), SPOKELAB_OK);
    walkAll("spokelab_scan_set_array", spokelab_scan_set_array, Given<spokelab_scan*>{scan},
            Given<const char*>{"FieldMap"}, Number<int>{2},
            Offsets{size_, Bad::refused, Bad::refused, Bad::refused},
            Array<float>{std::vector<float>(2 * pixels, 1.0F)});
    walkAll(
        "spokelab_scan_size",
        [](spokelab_scan* s, void* out) { return spokelab_scan_size(s, static_cast<int64_t*>(out)); },
        Given<spokelab_scan*>{scan}, Room<int64_t>{std::vector<int64_t>(3)});
    walkAll(
        "spokelab_scan_fov",
        [](spokelab_scan* s, void* out) { return spokelab_scan_fov(s, static_cast<double*>(out)); },
        Given<spokelab_scan*>{scan}, Room<double>{std::vector<double>(3)});
    for (const int number : {-1, 1 << 20, INT_MAX, INT_MIN}) {
      QCOMPARE(spokelab_scan_samples(scan, number), -1);
      QVERIFY(!spokelab_scan_points(scan, number));
      QVERIFY(!spokelab_scan_values(scan, number, 0, 0) && !spokelab_scan_values(scan, 0, number, 0) &&
              !spokelab_scan_values(scan, 0, 0, number));
      QVERIFY(!spokelab_backend_name(context_.handle, number) &&
              !spokelab_backend_text(context_.handle, number));
      QVERIFY(!spokelab_backend_usable(context_.handle, number));
      QVERIFY(!spokelab_option_name(number) && !spokelab_option_help(number) &&
              !spokelab_option_of_transform(number));
    }
    QTemporaryDir folder;
    walkAll(
        "spokelab_reconstruct",
        [&](spokelab_context* c, spokelab_scan* s, auto* o, void* out) {
          return made<spokelab_image>(
              [&](auto** image) {
                const spokelab_status status = spokelab_reconstruct(c, s, o, nullptr, nullptr, image);
                if (status != SPOKELAB_OK) return status;
                const QByteArray file = folder.filePath("image.npy").toUtf8();
                walkAll("spokelab_image_write", spokelab_image_write, Given<const spokelab_image*>{*image},
                        Given<const char*>{file.constData()});
                walkAll(
                    "spokelab_image_size",
                    [](spokelab_image* i, void* size) {
                      return spokelab_image_size(i, static_cast<int64_t*>(size));
                    },
                    Given<spokelab_image*>{*image}, Room<int64_t>{std::vector<int64_t>(3)});
                walkAll(
                    "spokelab_image_fov",
                    [](spokelab_image* i, void* size) {
                      return spokelab_image_fov(i, static_cast<double*>(size));
                    },
                    Given<spokelab_image*>{*image}, Room<double>{std::vector<double>(3)});
                return status;
              },
              spokelab_image_destroy, out);
        },
        context(), Given<spokelab_scan*>{scan}, noOptions_, out_);
    spokelab_scan_destroy(scan);
  }

  // Options are texts: no number of theirs may be NaN, infinite or out of range.
  void options() {
    spokelab_options* options = nullptr;
    QCOMPARE(spokelab_options_create(nullptr), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_options_create(&options), SPOKELAB_OK);
    for (int i = 0; i < spokelab_option_count(); ++i) {
      const char* const name = spokelab_option_name(i);
      for (const char* value : {"nan", "inf", "-inf", "1e999", "-1e300", ""}) {
        const spokelab_status status = spokelab_options_set(options, name, value);
        ++calls_;
        QVERIFY(status == SPOKELAB_OK || status == SPOKELAB_FAILED);
        const QString now = QString::fromUtf8(spokelab_options_get(options, name));
        if (status == SPOKELAB_OK) {  // a text, such as a file's name, or an empty list
          bool isNumber = false;
          const double number = now.toDouble(&isNumber);
          QVERIFY2(!isNumber || std::isfinite(number) || now == QLatin1String(value), name);
        }
      }
    }
    for (const char* name : {"lambda", "accuracy", "alpha", "tolerance"})
      for (const char* value : {"nan", "inf", "-1"})
        QCOMPARE(spokelab_options_set(options, name, value), SPOKELAB_FAILED);
    calls_ += walk("spokelab_options_set", spokelab_options_set, Given<spokelab_options*>{options},
                   Given<const char*>{"lambda"}, Given<const char*>{"0.1"});
    const spokelab_denoise none = nullptr;
    calls_ += walk("spokelab_options_set_denoiser", spokelab_options_set_denoiser,
                   Given<spokelab_options*>{options}, Given<spokelab_denoise>{none, Bad::maybe},
                   Given<void*>{nullptr, Bad::maybe});
    spokelab_options_destroy(options);
    QCOMPARE(spokelab_set_memory([](size_t, size_t, void*) -> void* { return nullptr; }, nullptr, nullptr),
             SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_synchronize(nullptr, nullptr), SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_context_create(nullptr, nullptr), SPOKELAB_BAD_ARGUMENT);
  }

  // A new function gets its line here, or among the ones that take a handle and no more.
  void noFunctionIsLeftOut() {
    const QStringList handleAlone{"version",
                                  "abi",
                                  "error_text",
                                  "set_memory",
                                  "context_create",
                                  "synchronize",
                                  "options_create",
                                  "options_get",
                                  "option_count",
                                  "option_name",
                                  "option_help",
                                  "option_of_transform",
                                  "backend_count",
                                  "backend_name",
                                  "backend_text",
                                  "backend_usable",
                                  "plan_points",
                                  "plan_pixels",
                                  "plan_workspace_bytes",
                                  "plan_error",
                                  "plan_text",
                                  "type3_error",
                                  "type3_text",
                                  "sense_iterations",
                                  "sense_residuals",
                                  "sense_text",
                                  "scan_dims",
                                  "scan_coils",
                                  "scan_slices",
                                  "scan_frames",
                                  "scan_samples",
                                  "scan_points",
                                  "scan_values",
                                  "scan_json",
                                  "image_frames",
                                  "image_values",
                                  "image_values_double",
                                  "image_json",
                                  "lambda_range_json"};
    QFile header(SPOKELAB_SOURCE_DIR "/app/api/spokelab.h");
    QVERIFY(header.open(QIODevice::ReadOnly));
    const QString text = QString::fromUtf8(header.readAll());
    const QRegularExpression function("SPOKELAB_API [a-z0-9_*\\s]*?\\*?\\s*(spokelab_[a-z0-9_]+)\\(");
    int found = 0;
    for (auto all = function.globalMatch(text); all.hasNext();) {
      const QString name = all.next().captured(1);
      ++found;
      // test_c_gpu_calls.cpp tests the GPU's functions.
      if (name.endsWith("_on") || name.endsWith("_destroy")) continue;
      QVERIFY2(walked().count(name.toStdString()) || handleAlone.contains(name.mid(9)), qPrintable(name));
    }
    QVERIFY(found > 70);
    QVERIFY(spokelab_plan_points(nullptr) == -1 && spokelab_plan_pixels(nullptr) == -1 &&
            spokelab_plan_error(nullptr) == -1 && !spokelab_plan_text(nullptr));
    QVERIFY(spokelab_type3_error(nullptr) == -1 && !spokelab_type3_text(nullptr));
    QVERIFY(spokelab_sense_iterations(nullptr) == -1 && !spokelab_sense_residuals(nullptr) &&
            !spokelab_sense_text(nullptr));
    QVERIFY(spokelab_scan_dims(nullptr) == -1 && !spokelab_scan_json(nullptr) &&
            !spokelab_image_json(nullptr));
    countCases("calls of the C interface with a bad argument", calls_);
  }

 private:
  const char* const texts_[1] = {"matrix=8"};
};

}  // namespace

SPOKELAB_TEST(TestCArguments)

}  // namespace test_c_arguments

#include "test_c_arguments.moc"
