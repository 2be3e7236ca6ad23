// What the reader finds out about real scans (SPOKELAB_DATA).
#include <QtTest>

#include <cmath>

#include "engine/core/error.h"
#include "engine/scan/read/read_scan.h"
#include "tests/test_main.h"

namespace test_real_scans {

using namespace spokelab;

namespace {

const Decision* decisionOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return &d;
  return nullptr;
}

double reach(const Trajectory& t) {
  double most = 0;
  for (const double k : t.points) most = std::max(most, std::abs(k));
  return most;
}

}  // namespace

class TestRealScans : public QObject {
  Q_OBJECT

 private:
  std::filesystem::path data_;

  std::shared_ptr<const Scan> read(const char* file, const ReadOptions& options = {}) {
    return readScan(data_ / file, options, Progress());
  }
  void compare(const Scan& scan, const std::string& topic, const std::string& choice) {
    const Decision* d = decisionOn(scan, topic);
    QVERIFY2(d, topic.c_str());
    QCOMPARE(d->choice, choice);
    QVERIFY2(!d->evidence.empty(), topic.c_str());
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    data_ = folder.toStdString();
  }

  void cardiac() {
    const auto scan = read("cardiac_radial_12ch/cardiac_radial_12ch.h5");
    QCOMPARE(scan->dims(), 2);
    QCOMPARE(scan->coils, 12);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(25));
    QCOMPARE(scan->trajectory(0).samples(), std::int64_t(6400));
    QVERIFY((scan->geometry.matrix == Index3{256, 256, 1}));
    compare(*scan, "k-unit", "cycles/FOV");
    compare(*scan, "matrix", "256x256");
    QVERIFY(std::abs(reach(scan->trajectory(0)) - 128) < 1e-4);
    QVERIFY(scan->warnings.empty());
  }

  void xenon() {
    const auto scan = read("xenon_3d_radial/xenon_gas_3d_radial.h5");
    QCOMPARE(scan->dims(), 3);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(1000));
    compare(*scan, "k-unit", "cycles/FOV");
    compare(*scan, "third-dimension", "kz");
    compare(*scan, "matrix", "64x64x64");
    QVERIFY((scan->geometry.fov == Vec3{400, 400, 400}));
    QVERIFY(std::abs(reach(scan->trajectory(0)) - 29.25) < 0.01);
    QVERIFY(std::abs(scan->trajectory(0).times[1] - 10e-6) < 1e-9);
  }

  void jemris_data() {
    QTest::addColumn<QString>("name");
    for (const char* kind : {"clean", "CS", "Susc70Mhz"}) QTest::newRow(kind) << kind;
  }
  void jemris() {
    QFETCH(QString, name);
    const QString file = QString("jemris_spiral_ismrmrd/signals_spiralout_%1_slc90.h5").arg(name);
    const auto scan = read(qPrintable(file));
    QCOMPARE(scan->dims(), 2);
    QCOMPARE(scan->trajectory(0).shots(), std::int64_t(15));
    QCOMPARE(scan->trajectory(0).samples(), std::int64_t(15 * 4940));
    QVERIFY((scan->geometry.matrix == Index3{220, 220, 1}));
    QVERIFY(scan->geometry.nominal);
    compare(*scan, "k-unit", "cycles/FOV");
    compare(*scan, "third-dimension", "ignore");
    compare(*scan, "orientation", "assumed");
    compare(*scan, "acquisitions", "15 of 16 acquisitions");
    QVERIFY(scan->trajectory(0).times.empty());
  }

  void imagesAreNoScan() {
    if (data_.empty()) QSKIP("real scans: SPOKELAB_DATA is not set");
    try {
      read("jemris_spiral_ismrmrd/reco_spiralout_clean_slc90.h5");
      QFAIL("a file of images was taken for a scan");
    } catch (const Error& e) {
      QVERIFY(e.reason().find("without ISMRMRD acquisitions") != std::string::npos);
    }
  }

  void overridesWin() {
    ReadOptions options;
    options.overrides = {{"matrix", "128x128"}, {"fov", "300x300x8"}};
    const auto scan = read("cardiac_radial_12ch/cardiac_radial_12ch.h5", options);
    QVERIFY((scan->geometry.matrix == Index3{128, 128, 1}));
    QVERIFY((scan->geometry.fov == Vec3{300, 300, 8}));
    QVERIFY(decisionOn(*scan, "matrix")->overridden);
  }
};

SPOKELAB_TEST(TestRealScans)

}  // namespace test_real_scans

#include "test_real_scans.moc"
