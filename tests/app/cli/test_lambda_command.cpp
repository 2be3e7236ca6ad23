// lambda on the command line: its table, its choices, and the image of one of them beside the
// reconstruction with that number.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_lambda_command {

using spokelab::test::runCli;

class TestLambdaCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  QJsonObject json(const QString& name) {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(file.readAll()).object() : QJsonObject();
  }

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "24", "--samples", "48",
                                    "--shots", "24", "--coils", "3", "--noise", "0.2"})
                .code == 0);
  }

  void tableAndChoicesAreSaidAndWritten() {
    const auto r = runCli(folder_.path(), {"lambda", "scan.h5", "--range", "1e-3:3", "--values", "9",
                                           "--json", "l.json", "-o", "all.npy"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("misfit") && r.out.contains("held out"), r.out);
    const QJsonObject lambda = json("l.json")["lambda"].toObject();
    const QJsonArray points = lambda["points"].toArray();
    QCOMPARE(points.size(), qsizetype(9));
    QCOMPARE(points[0].toObject()["lambda"].toDouble(), 1e-3);
    QVERIFY(points[0].toObject()["misfit"].toDouble() < points[8].toObject()["misfit"].toDouble());
    QVERIFY(lambda["heldOut"].toDouble() > 0 && lambda["noise"].toDouble() > 0);
    QVERIFY(QFile::exists(folder_.filePath("all.npy")));
  }

  void theImageOfANumberIsTheReconstructionWithIt() {
    QVERIFY(runCli(folder_.path(), {"lambda", "scan.h5", "--pick", "0.1", "-o", "range.npy", "--hold-out",
                                    "0", "--tolerance", "1e-6", "--accuracy", "1e-5"})
                .code == 0);
    QVERIFY(
        runCli(folder_.path(), {"reconstruct", "scan.h5", "-o", "one.npy", "--method", "sense", "--lambda",
                                "0.1", "--iterations", "60", "--tolerance", "1e-6", "--accuracy", "1e-5"})
            .code == 0);
    const auto r = runCli(folder_.path(), {"compare", "range.npy", "one.npy", "--json", "c.json"});
    QVERIFY2(r.code == 0, r.err);
    const QByteArray text = QJsonDocument(json("c.json")).toJson();
    QVERIFY2(json("c.json")["nrmse"].toDouble(1) < 1e-3, text);
  }

  void badRangesAndMethodsAreRefused() {
    for (const char* range : {"1:0.1", "0:1", "x", "1e-3"}) {
      const auto r = runCli(folder_.path(), {"lambda", "scan.h5", "--range", range});
      QVERIFY2(r.code != 0 && r.err.contains("range"), r.err);
    }
    QVERIFY(runCli(folder_.path(), {"lambda", "scan.h5", "--pick", "best"}).code != 0);
    QVERIFY(runCli(folder_.path(), {"lambda", "scan.h5", "--method", "wavelet"}).code != 0);
  }
};

SPOKELAB_TEST(TestLambdaCommand)

}  // namespace test_lambda_command

#include "test_lambda_command.moc"
