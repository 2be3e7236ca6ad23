// ask on the command line: lines, numbers as JSON, a picture of the point spread, and refusals.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_ask_command {

using spokelab::test::runCli;

class TestAskCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "24", "--shots", "16",
                                    "--samples", "48", "--coils", "2", "--noise", "0.05"})
                .code == 0);
  }

  void aPixelAnswers() {
    const auto r = runCli(folder_.path(), {"ask", "scan.h5", "--pixel", "14,11", "--most", "3", "--psf",
                                           "psf.png", "--json", "pixel.json"});
    QVERIFY2(r.code == 0, r.err);
    for (const char* word : {"value", "point spread", "side lobe", "predicted error", "noise", "without it"})
      QVERIFY2(r.out.contains(word), r.out);
    QCOMPARE(r.out.count("without it"), 3);
    QVERIFY(QFile::exists(folder_.filePath("psf.png")));
    QFile file(folder_.filePath("pixel.json"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QJsonObject answer = QJsonDocument::fromJson(file.readAll()).object()["answer"].toObject();
    QCOMPARE(answer["shots"].toArray().size(), 16);
    QVERIFY(answer["value"].toDouble() > 0);
    QVERIFY(answer["predictedError"].toDouble() > 0);
    const double stays = answer["spread"].toObject()["stays"].toDouble();
    QVERIFY2(stays > 0.5 && stays < 1.1, qPrintable(QString::number(stays)));
  }

  void theSenseOfAPointAnswers() {
    const auto r = runCli(folder_.path(), {"ask", "scan.h5", "--pixel", "12,12", "--method", "sense",
                                           "--iterations", "5", "--shots", "0-:2"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("reconstructed") && r.out.contains("coil maps"), r.out);
  }

  void wrongPixelsAreRefused() {
    for (const char* pixel : {"24,0", "3", "a,b", "1,2,3,4", "1,2,", "-1,0"}) {
      const auto r = runCli(folder_.path(), {"ask", "scan.h5", QStringLiteral("--pixel=%1").arg(pixel)});
      QVERIFY2(r.code != 0 && r.err.contains("Cannot ask the pixel"), pixel + r.err);
    }
    QVERIFY(runCli(folder_.path(), {"ask", "scan.h5"}).code != 0);
  }
};

SPOKELAB_TEST(TestAskCommand)

}  // namespace test_ask_command

#include "test_ask_command.moc"
