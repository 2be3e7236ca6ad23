// A volume whose plan is over the memory limit: reconstructed in slabs, with the image of the whole
// one.
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_slabs {

using namespace spokelab::test;

class SlabsCommandTest : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult reconstruct(const QStringList& more) const {
    // Each thread takes memory: the limit below is of two.
    return runCli(folder_.path(), QStringList{"reconstruct", "volume.h5", "--alpha", "2", "--effort",
                                              "estimate", "--no-wisdom", "--threads", "2"} +
                                      more);
  }
  QJsonDocument json(const QString& file) const {
    QFile in(folder_.filePath(file));
    return in.open(QIODevice::ReadOnly) ? QJsonDocument::fromJson(in.readAll()) : QJsonDocument();
  }
  bool tellsOfSlabs(const QString& file) const {
    for (const QJsonValue& note : json(file)["reconstruction"]["notes"].toArray())
      if (note.toString().startsWith("transformed in ")) return true;
    return false;
  }
  double difference(const QString& file) const { return json(file)["reference"]["nrmse"].toDouble(1); }

  static constexpr double twoPlans = 2e-3;  // of accuracy 1e-3

 private slots:
  void initTestCase() {
    QCOMPARE(runCli(folder_.path(), {"simulate", "-o", "volume.h5", "--pattern", "radial3d", "--matrix", "64",
                                     "--acceleration", "4", "--coils", "2"})
                 .code,
             0);
    const auto whole = reconstruct({"-o", "whole.npy", "--json", "whole.json"});
    QVERIFY2(whole.code == 0, whole.err);
    QVERIFY(!tellsOfSlabs("whole.json"));
  }

  void memoryLimitDividesTheVolume() {
    const QStringList limit{"--memory-limit", "0.010"};  // the grid alone takes 17 MB
    const auto slabs =
        reconstruct(limit + QStringList{"-o", "s.npy", "--reference", "whole.npy", "--json", "s.json"});
    QVERIFY2(slabs.code == 0, slabs.err);
    QVERIFY2(slabs.out.contains("note") && slabs.out.contains("transformed in "), slabs.out);
    QVERIFY(tellsOfSlabs("s.json"));
    QVERIFY2(difference("s.json") > 0 && difference("s.json") < twoPlans,
             QByteArray::number(difference("s.json")));
    QCOMPARE(reconstruct(limit + QStringList{"-o", "no.npy", "--slabs", "1"}).code, 1);
    QVERIFY(!QFile::exists(folder_.filePath("no.npy")));
  }

  void slabsAreGivenByNumber() {
    const auto slabs =
        reconstruct({"-o", "n.npy", "--slabs", "5", "--reference", "whole.npy", "--json", "n.json"});
    QVERIFY2(slabs.code == 0, slabs.err);
    QVERIFY2(slabs.out.contains("in 5 slabs of 13 planes, each with all points"), slabs.out);
    QVERIFY(difference("n.json") > 0 && difference("n.json") < twoPlans);
    const auto many = reconstruct({"-o", "n.npy", "--slabs", "65"});
    QVERIFY2(many.code == 1 && many.err.contains("64 planes"), many.err);
  }
};

SPOKELAB_TEST(SlabsCommandTest)

}  // namespace test_slabs

#include "test_slabs.moc"
