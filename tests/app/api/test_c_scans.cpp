// Scans through the C interface: read or made from arrays, reconstructed as the engine does,
// written where that takes nothing away.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/nufft/exact/nudft.h"
#include "engine/recon/reconstruct.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/built_in_scans.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/api/c_handles.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

namespace test_c_scans {

using namespace spokelab;
using namespace spokelab::test;

class TestCScans : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::string path(const char* name) const {
    return folder_.filePath(QString::fromLatin1(name)).toStdString();
  }

 private Q_SLOTS:
  // SENSE at twofold undersampling needs the maps, and uses the given ones; earlier results remain.
  void mapsFromMemoryAreUsed() {
    constexpr std::int64_t side = 24, pixels = side * side, readout = 48, shots = 16, count = shots * readout;
    std::vector<cfloat> maps, image(static_cast<std::size_t>(pixels)), samples;
    std::vector<double> points;
    std::vector<std::int64_t> offsets;
    for (std::int64_t s = 0; s <= shots; ++s) offsets.push_back(s * readout);
    for (std::int64_t j = 0; j < count; ++j) {
      const double k = double(j % readout) / 2 - side / 2.0, angle = M_PI * double(j / readout) / shots;
      points.insert(points.end(), {k * std::cos(angle), k * std::sin(angle)});
    }
    NufftProblem problem;
    problem.size = {side, side, 1};
    std::vector<double> perPixel = points;
    for (double& k : perPixel) k /= double(side);
    for (std::int64_t i = 0; i < pixels; ++i)
      image[std::size_t(i)] = std::hypot(i % side - 12, i / side - 11) < 8 ? 1.F : 0.F;
    constexpr int coils = 4;
    for (int c = 0; c < coils; ++c) {
      std::vector<cdouble> seen;
      for (std::int64_t i = 0; i < pixels; ++i) {
        const double x = i % side - 12 - 12 * std::cos(1.6 * c), y = i / side - 12 - 12 * std::sin(1.6 * c);
        maps.emplace_back(std::polar(std::exp(-(x * x + y * y) / 300), 0.1 * x));
        seen.push_back(cdouble(image[std::size_t(i)]) * cdouble(maps.back()));
      }
      for (const cdouble& value : nudftForward(problem, perPixel, seen, {}, 1, {}))
        samples.emplace_back(value);
    }
    const std::array<std::int64_t, 2> size{side, side};
    spokelab_scan* scan = nullptr;
    QCOMPARE(spokelab_scan_create(2, size.data(), nullptr, coils, shots, offsets.data(), points.data(),
                                  nullptr, SPOKELAB_SINGLE, samples.data(), &scan),
             SPOKELAB_OK);
    const double* before = spokelab_scan_points(scan, 0);
    const Context context;
    const Options options{{"method", "sense"}, {"iterations", "30"}, {"lambda", "1e-5"}, {"backend", "cpu"}};
    std::vector<double> errors;
    for (const double strength : {0.0, 1.0}) {  // maps of ones, then the right ones
      std::vector<cfloat> given = maps;
      if (strength == 0) std::fill(given.begin(), given.end(), cfloat(1));
      const std::array<std::int64_t, 3> shape{coils, side, side};
      QCOMPARE(spokelab_scan_set_array(scan, "SENSEMap", 3, shape.data(),
                                       reinterpret_cast<const float*>(given.data())),
               SPOKELAB_OK);
      spokelab_image* result = nullptr;
      QVERIFY2(spokelab_reconstruct(context.handle, scan, options.handle, nullptr, nullptr, &result) ==
                   SPOKELAB_OK,
               spokelab_error_text());
      const auto* values = reinterpret_cast<const cfloat*>(spokelab_image_values(result));
      errors.push_back(relativeDifference(std::vector<cfloat>(values, values + pixels), image));
      spokelab_image_destroy(result);
    }
    QVERIFY2(errors[1] < 0.1 && errors[0] > 5 * errors[1],
             qPrintable(QStringLiteral("%1 %2").arg(errors[0]).arg(errors[1])));
    spokelab_image* regularized = nullptr;
    const Options wavelets{{"method", "wavelet"}, {"iterations", "4"}, {"backend", "cpu"}};
    QCOMPARE(spokelab_reconstruct(context.handle, scan, wavelets.handle, nullptr, nullptr, &regularized),
             SPOKELAB_OK);
    spokelab_image_destroy(regularized);
    const Options grasp{{"method", "grasp"}, {"backend", "cpu"}};
    QCOMPARE(spokelab_reconstruct(context.handle, scan, grasp.handle, nullptr, nullptr, &regularized),
             SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("there is one")), qPrintable(errorText()));
    QCOMPARE(spokelab_scan_points(scan, 0), before);
    QCOMPARE(before[2], points[2]);
    const std::array<std::int64_t, 2> wrong{side, side - 1};
    QCOMPARE(spokelab_scan_set_array(scan, "SENSEMap", 2, wrong.data(),
                                     reinterpret_cast<const float*>(maps.data())),
             SPOKELAB_OK);
    spokelab_image* result = nullptr;
    QCOMPARE(spokelab_reconstruct(context.handle, scan, options.handle, nullptr, nullptr, &result),
             SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("coil maps")), qPrintable(errorText()));
    QCOMPARE(spokelab_scan_set_array(scan, "", 2, size.data(), reinterpret_cast<const float*>(maps.data())),
             SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_scan_set_array(scan, "SENSEMap", 0, size.data(),
                                     reinterpret_cast<const float*>(maps.data())),
             SPOKELAB_BAD_ARGUMENT);
    spokelab_scan_destroy(scan);
  }

  // Scans that the command line opens by these names and options.
  void builtInAndSimulatedScans() {
    const auto same = [](const spokelab_scan* found, const Scan& expected) {
      const auto* values =
          reinterpret_cast<const cfloat*>(spokelab_scan_values(found, 0, 0, expected.coils - 1));
      return spokelab_scan_coils(found) == expected.coils &&
             spokelab_scan_samples(found, 0) == expected.trajectory(0).samples() &&
             std::equal(values, values + expected.trajectory(0).samples(),
                        expected.data(0, 0, expected.coils - 1));
    };
    spokelab_scan *demo = nullptr, *simulated = nullptr;
    spokelab_image* truth = nullptr;
    QCOMPARE(spokelab_scan_read("demo", nullptr, 0, nullptr, nullptr, &demo), SPOKELAB_OK);
    QVERIFY(same(demo, *builtInScan(demoName)));
    std::array<const char*, 4> options{"pattern=spiral", "matrix=32x24", "coils=3", "noise=0.01"};
    QVERIFY2(spokelab_scan_simulate(options.data(), 4, nullptr, nullptr, &simulated, &truth) == SPOKELAB_OK,
             spokelab_error_text());
    SimulateOptions how;
    how.trajectory.pattern = Pattern::spiral2d;
    how.trajectory.matrix = {32, 24, 0};
    how.coils = 3;
    how.noise = 0.01;
    QVERIFY(same(simulated, *simulate(how, {})));
    std::array<std::int64_t, 3> size{};
    std::array<double, 3> fov{}, scanFov{};
    QCOMPARE(spokelab_image_size(truth, size.data()), SPOKELAB_OK);
    QVERIFY(size == (std::array<std::int64_t, 3>{32, 24, 1}));
    QCOMPARE(spokelab_image_fov(truth, fov.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_scan_fov(simulated, scanFov.data()), SPOKELAB_OK);
    QVERIFY(fov == scanFov);
    QCOMPARE(spokelab_image_write(truth, path("truth.npy").c_str()), SPOKELAB_OK);
    QVERIFY(nlohmann::json::parse(spokelab_image_json(truth)).is_object());

    const Context context;
    const Options recon{{"backend", "cpu"}, {"method", "sense"}, {"iterations", "20"}};
    spokelab_image* image = nullptr;
    QVERIFY2(spokelab_reconstruct(context.handle, simulated, recon.handle, nullptr, nullptr, &image) ==
                 SPOKELAB_OK,
             spokelab_error_text());
    const auto magnitudes = [](const spokelab_image* of) {
      std::vector<double> all;
      const auto* values = reinterpret_cast<const cfloat*>(spokelab_image_values(of));
      for (int i = 0; i < 32 * 24; ++i) all.push_back(std::abs(values[i]));
      return all;
    };
    const double difference = nrmse(magnitudes(image), magnitudes(truth));
    QVERIFY2(difference < 0.2, qPrintable(QString::number(difference)));
    for (spokelab_image* end : {image, truth}) spokelab_image_destroy(end);
    for (spokelab_scan* end : {demo, simulated}) spokelab_scan_destroy(end);

    spokelab_scan* none = nullptr;
    for (const auto& [text, why] : {std::pair<const char*, const char*>("no-such=1", "no-such"),
                                    {"matrix=0", "matrix"},
                                    {"turns=4", "turns"},
                                    {"preset=multicore-1", "multicore-1"}}) {
      QCOMPARE(spokelab_scan_simulate(&text, 1, nullptr, nullptr, &none, nullptr), SPOKELAB_FAILED);
      QVERIFY2(errorText().contains(QLatin1String(why)), qPrintable(errorText()));
    }
    const auto stop = [](double, const char*, void*) { return 1; };
    QCOMPARE(spokelab_scan_simulate(options.data(), 4, stop, nullptr, &none, nullptr), SPOKELAB_CANCELLED);
    options[0] = "pattern";
    QCOMPARE(spokelab_scan_simulate(options.data(), 4, nullptr, nullptr, &none, nullptr),
             SPOKELAB_BAD_ARGUMENT);
    QCOMPARE(spokelab_scan_simulate(options.data(), 4, nullptr, nullptr, nullptr, nullptr),
             SPOKELAB_BAD_ARGUMENT);
    QVERIFY(!none);
  }

  void scansAreReadAndReconstructed() {
    SimulateOptions how;
    how.trajectory.pattern = Pattern::goldenRadial2d;
    how.trajectory.matrix = {32, 32, 1};
    how.coils = 4;
    const auto simulated = simulate(how, {});
    const std::string file = path("scan.h5");
    writeScan(*simulated, file, {});
    const Context context;
    spokelab_scan* scan = nullptr;
    const std::array<const char*, 1> choices{"fov=200x200x5"};
    QCOMPARE(spokelab_scan_read(file.c_str(), choices.data(), 1, nullptr, nullptr, &scan), SPOKELAB_OK);
    QCOMPARE(spokelab_scan_dims(scan), 2);
    QCOMPARE(spokelab_scan_coils(scan), 4);
    QCOMPARE(spokelab_scan_slices(scan), 1);
    QCOMPARE(spokelab_scan_frames(scan), 1);
    QCOMPARE(spokelab_scan_samples(scan, 0), simulated->trajectory(0).samples());
    QCOMPARE(spokelab_scan_samples(scan, 1), std::int64_t(-1));
    std::array<std::int64_t, 3> size{};
    std::array<double, 3> fov{};
    QCOMPARE(spokelab_scan_size(scan, size.data()), SPOKELAB_OK);
    QCOMPARE(spokelab_scan_fov(scan, fov.data()), SPOKELAB_OK);
    QVERIFY(size[0] == 32 && size[1] == 32 && fov[0] == 200);
    QVERIFY(nlohmann::json::parse(spokelab_scan_json(scan)).contains("decisions"));

    const Options options{{"alpha", "2"}, {"width", "5"}, {"backend", "cpu"}};
    spokelab_image* image = nullptr;
    int told = 0;
    const auto tell = [](double, const char*, void* user) {
      ++*static_cast<int*>(user);
      return 0;
    };
    QCOMPARE(spokelab_reconstruct(context.handle, scan, options.handle, tell, &told, &image), SPOKELAB_OK);
    QVERIFY(told > 0);
    ReconOptions same;
    same.nufft.alpha = 2;
    same.nufft.width = 5;
    const auto cpu = makeCpuBackend();
    ReadOptions reading;
    reading.overrides["fov"] = "200x200x5";
    const Reconstruction expected = reconstruct({cpu.get()}, *readScan(file, reading, {}), same, nullptr, {});
    QCOMPARE(spokelab_image_frames(image), 1);
    QCOMPARE(spokelab_image_size(image, size.data()), SPOKELAB_OK);
    QCOMPARE(size[0] * size[1] * size[2], std::int64_t(1024));
    QVERIFY(std::equal(expected.image->data.begin(), expected.image->data.end(),
                       reinterpret_cast<const cfloat*>(spokelab_image_values(image))));
    QVERIFY(!spokelab_image_values_double(image));
    QVERIFY(nlohmann::json::parse(spokelab_image_json(image)).contains("plan"));

    // Written where that takes nothing away.
    QCOMPARE(spokelab_image_write(image, path("image.npy").c_str()), SPOKELAB_OK);
    QVERIFY(QFileInfo::exists(QString::fromStdString(path("image.npy"))));
    QCOMPARE(spokelab_image_write(image, file.c_str()), SPOKELAB_FAILED);
    QVERIFY2(errorText().contains(QLatin1String("scan.h5")), qPrintable(errorText()));
    QCOMPARE(spokelab_image_write(image, path("image.unknown").c_str()), SPOKELAB_FAILED);

    // The same scan from arrays, in double precision.
    const Trajectory& t = simulated->trajectory(0);
    const std::vector<cdouble> values(simulated->samples[0].begin(), simulated->samples[0].end());
    spokelab_scan* arrays = nullptr;
    QCOMPARE(spokelab_scan_create(2, size.data(), fov.data(), 4, t.shots(), t.shotOffsets.data(),
                                  t.points.data(), nullptr, SPOKELAB_DOUBLE, values.data(), &arrays),
             SPOKELAB_OK);
    const Options inDouble{{"alpha", "2"}, {"width", "5"}, {"backend", "cpu"}, {"precision", "double"}};
    spokelab_image* second = nullptr;
    QCOMPARE(spokelab_reconstruct(context.handle, arrays, inDouble.handle, nullptr, nullptr, &second),
             SPOKELAB_OK);
    const auto* doubles = reinterpret_cast<const cdouble*>(spokelab_image_values_double(second));
    QVERIFY(doubles);
    QVERIFY(relativeDifference(expected.image->data, std::vector<cdouble>(doubles, doubles + 1024)) < 1e-4);
    const auto stop = [](double, const char*, void*) { return 1; };
    spokelab_image* none = nullptr;
    QCOMPARE(spokelab_reconstruct(context.handle, arrays, nullptr, stop, nullptr, &none), SPOKELAB_CANCELLED);
    QVERIFY(!none);
    spokelab_image_destroy(second);
    spokelab_scan_destroy(arrays);
    spokelab_scan_destroy(scan);  // the image keeps what it needs
    QVERIFY(spokelab_image_values(image)[0] == spokelab_image_values(image)[0]);
    spokelab_image_destroy(image);
  }
};

SPOKELAB_TEST(TestCScans)

}  // namespace test_c_scans

#include "test_c_scans.moc"
