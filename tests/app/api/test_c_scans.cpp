// Scans through the C interface: read or made from arrays, reconstructed as the engine does, written
// where that takes nothing away.
#include <QTemporaryDir>
#include <QtTest>

#include <nlohmann/json.hpp>

#include "engine/recon/backend_cpu.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/api/c_handles.h"
#include "tests/engine/recon/measures.h"
#include "tests/test_main.h"

using namespace spokelab;
using namespace spokelab::test;

class TestCScans : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  std::string path(const char* name) const {
    return folder_.filePath(QString::fromLatin1(name)).toStdString();
  }

 private Q_SLOTS:
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
#include "test_c_scans.moc"
