// The window for a user whose numbers have a decimal comma: what it reads, shows and writes has
// points.
#include <QDoubleSpinBox>
#include <QLocale>
#include <QProcess>
#include <QRegularExpression>

#include <clocale>

#include "engine/core/document.h"
#include "tests/app/gui/workbench.h"
#include "tests/comma_locale.h"

namespace test_comma_locale {

using namespace spokelab;

namespace {

bool commaLocale = false;

// The first cell or text that is a number with a comma.
QString numberWithComma(const QString& text) {
  static const QRegularExpression pattern(QStringLiteral("\"-?[0-9]+,[0-9]+\""));
  return pattern.match(text).captured();
}

}  // namespace

class TestCommaLocale : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() {
    if (!commaLocale) QSKIP("no locale with a decimal comma can be made: install the package locales");
  }

  void theApplicationTakesPoints() {
    QCOMPARE(std::string(std::localeconv()->decimal_point), std::string("."));
    QCOMPARE(QLocale().decimalPoint(), QStringLiteral("."));
    QDoubleSpinBox box;
    box.setValue(2.5);
    QCOMPARE(box.text(), QStringLiteral("2.50"));
  }

  void aScanKeepsItsGeometry() {
    const QTemporaryDir folder;
    SimulateOptions options;
    options.trajectory.matrix = {32, 32, 1};
    Scan scan = *simulate(options, {});
    scan.geometry.fov = {220.5, 180.25, 2.5};
    const QString file = folder.filePath(QStringLiteral("comma.h5"));
    writeScan(scan, file.toStdString(), {});
    Workbench bench;
    bench.window.open(file);
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan(), patience);
    for (std::size_t d = 0; d < 3; ++d) QCOMPARE(bench.session.scan()->geometry.fov[d], scan.geometry.fov[d]);
  }

  // By the program itself, charts included: it makes its application object while it works.
  void aReportHasPoints() {
    const QTemporaryDir folder;
    QProcess program;
    program.start(QStringLiteral(SPOKELAB_PROGRAM),
                  {"report", smallScan(folder), "-o", folder.filePath("report"), "--trials", "1",
                   "--time-limit", "0.1", "--accuracy", "1e-2", "--no-wisdom"});
    QVERIFY(program.waitForFinished(patience));
    QVERIFY2(program.exitCode() == 0, program.readAllStandardError().constData());
    const std::filesystem::path report = folder.filePath("report").toStdString();
    for (const char* name : {"sweep.csv", "tuning.csv", "report.json"}) {
      const QString found = numberWithComma(QString::fromStdString(readDocument(report / name)));
      QVERIFY2(found.isEmpty(), qPrintable(name + (": " + found)));
    }
    static const QRegularExpression tick(QStringLiteral(">[-0-9]+,[0-9]+<"));
    const QString chart = QString::fromStdString(readDocument(report / "time-over-alpha.svg"));
    QVERIFY2(!tick.match(chart).hasMatch(), qPrintable(tick.match(chart).captured()));
  }
};

SPOKELAB_TEST_RUN([](int argc, char** argv) {
  commaLocale = test::takeCommaLocale();
  return test::runWindowTest<TestCommaLocale>(argc, argv);
})

}  // namespace test_comma_locale

#include "test_comma_locale.moc"
