// --reproducible, from file to file: the same bytes with any number of threads and in every run,
// for all that makes an image of samples on the CPU.
#include <QtTest>

#include <nlohmann/json.hpp>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_reproducible {

using namespace spokelab::test;

namespace {

class TestReproducible : public QObject {
  Q_OBJECT

 private:
  QTemporaryDir folder_;
  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  QByteArray bytesOf(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  QByteArray imageOf(const QString& scan, const QStringList& options, int threads) {
    const auto r = run(QStringList{"reconstruct", scan, "-o", "x.npy", "--reproducible", "--threads",
                                   QString::number(threads)} +
                       options);
    return r.code == 0 ? bytesOf("x.npy") : "failed: " + r.err + QByteArray::number(threads);
  }

 private slots:
  void initTestCase() {
    QCOMPARE(run({"simulate", "-o", "plane.h5", "--matrix", "64", "--coils", "5", "--frames", "2"}).code, 0);
    QCOMPARE(
        run({"simulate", "-o", "volume.h5", "--pattern", "radial3d", "--matrix", "24", "--coils", "3"}).code,
        0);
    QCOMPARE(run({"simulate", "-o", "field.h5", "--pattern", "spiral", "--matrix", "32", "--coils", "2",
                  "--field", "head", "--field-peak", "60"})
                 .code,
             0);
  }

  void imagesAreTheSameBytes_data() {
    QTest::addColumn<QString>("scan");
    QTest::addColumn<QStringList>("options");
    const auto row = [](const char* name, const char* scan, const QStringList& options) {
      QTest::newRow(name) << QString(scan) << options;
    };
    const QStringList sense{"--method", "sense", "--iterations", "4"};
    row("gridding", "plane.h5", {});
    row("gridding, adaptive", "plane.h5", {"--combine", "adaptive", "--density", "pipe-menon"});
    row("gridding, fewer coils, Voronoi", "plane.h5", {"--compress-coils", "3", "--density", "voronoi"});
    row("gridding in double", "plane.h5", {"--precision", "double", "--accuracy", "1e-9"});
    row("gridding 3-D", "volume.h5", {});
    row("gridding by the graph", "volume.h5", {"--scheduler", "graph"});
    row("SENSE, maps estimated", "plane.h5", sense + QStringList{"--coil-maps", "espirit"});
    row("SENSE, Walsh, gridded", "plane.h5",
        sense + QStringList{"--coil-maps", "walsh", "--normal", "gridded", "--compress-coils", "4"});
    row("SENSE, total variation", "plane.h5",
        sense + QStringList{"--regularization", "tv", "--lambda", "0.01"});
    row("SENSE in double", "plane.h5", sense + QStringList{"--precision", "double"});
    row("SENSE 3-D", "volume.h5", sense);
    row("SENSE with a field", "field.h5", sense);
    row("exact", "volume.h5", {"--exact"});
  }

  void imagesAreTheSameBytes() {
    QFETCH(QString, scan);
    QFETCH(QStringList, options);
    const QByteArray first = imageOf(scan, options, 1);
    QVERIFY2(first.startsWith("\x93NUMPY"), first.constData());
    for (const int threads : {1, 2, 3, 8})
      QVERIFY2(imageOf(scan, options, threads) == first,
               qPrintable(QStringLiteral("%1 threads").arg(threads)));
  }

  void whatCannotRepeatIsRefused() {
    const auto r = run({"reconstruct", "plane.h5", "-o", "no.npy", "--reproducible", "--method", "sense",
                        "--iteration-seconds", "1"});
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("reproducible"), r.err.constData());
    QVERIFY(!QFile::exists(folder_.filePath("no.npy")));
  }

  void theCostIsTold() {
    const auto tuned = run({"tune", "plane.h5", "--reproducible", "--json", "tune.json"});
    QCOMPARE(tuned.code, 0);
    QVERIFY2(tuned.out.contains("times as long"), tuned.out.constData());
    const auto json = nlohmann::json::parse(bytesOf("tune.json").toStdString());
    const auto& cost = json.at("tuning").at("reproducible");
    QVERIFY(cost.at("seconds").get<double>() > 0 && cost.at("fastest").get<double>() > 0);
    QCOMPARE(json.at("options").at("reproducible").dump(), std::string("\"true\""));
    const auto reconstructed = run({"reconstruct", "plane.h5", "-o", "y.npy", "--reproducible"});
    QVERIFY2(reconstructed.out.contains("times as long"), reconstructed.out.constData());
  }
};

}  // namespace

SPOKELAB_TEST(TestReproducible)

}  // namespace test_reproducible

#include "test_reproducible.moc"
