// wisdom: what one folder has tuned is exported, merged and imported elsewhere, used there, and
// forgotten.
#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_wisdom_command {

using spokelab::test::CliResult;
using spokelab::test::runCli;

class TestWisdomCommand : public QObject {
  Q_OBJECT
  QTemporaryDir folder_, other_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  CliResult elsewhere(const QStringList& arguments) { return runCli(other_.path(), arguments); }
  QStringList tune() const {
    return {"tune", folder_.filePath("scan.h5"), "--trials", "1", "--time-limit", "0.2"};
  }

 private slots:
  void initTestCase() {
    const auto made = run({"simulate", "-o", "scan.h5", "--matrix", "32"});
    QVERIFY2(made.code == 0, made.err);
    const auto tuned = run(tune());
    QVERIFY2(tuned.code == 0 && !tuned.out.contains("from wisdom"), tuned.err);
  }

  void isShown() {
    const auto r = run({"wisdom", "show"});
    QVERIFY2(r.code == 0, r.err);
    QVERIFY2(r.out.contains("2-D 32 x 32 single") && r.out.contains("1 entry"), r.out);
    const auto json = run({"wisdom", "show", "--json", "-"});
    const auto entries = QJsonDocument::fromJson(json.out).object()["wisdom"].toArray();
    QCOMPARE(entries.size(), 1);
    QVERIFY(entries[0].toObject()["here"].toBool() && entries[0].toObject()["seconds"].toDouble() > 0);
  }

  void travels() {
    QCOMPARE(run({"wisdom", "export", "mine.json"}).code, 0);
    const auto merged = run({"wisdom", "merge", "mine.json", "mine.json", "-o", "lab.json"});
    QVERIFY2(merged.code == 0 && merged.out.contains("1 entry written"), merged.out + merged.err);
    QVERIFY2(merged.out.count("  machine") == 1 && merged.out.contains("threads; "), merged.out);
    const auto taken = elsewhere({"wisdom", "import", folder_.filePath("lab.json")});
    QVERIFY2(taken.code == 0 && taken.out.contains("1 entry added"), taken.out + taken.err);
    const auto tuned = elsewhere(tune());
    QVERIFY2(tuned.out.contains("from wisdom"), tuned.out);
  }

  // Weights and point spread function of a spiral serve the next start; Plan, --dry-run and wisdom
  // say so; a damaged file is made anew; `afresh` keeps and takes nothing.
  void preprocessingIsKept() {
    QTemporaryDir place;
    const auto here = [&](const QStringList& arguments) { return runCli(place.path(), arguments); };
    const auto made = here(
        {"simulate", "-o", "spiral.h5", "--matrix", "256", "--pattern", "spiral", "--acceleration", "0.5"});
    QVERIFY2(made.code == 0, made.err);
    const QStringList job{"reconstruct",  "spiral.h5",   "-o",
                          "image.npy",    "--method",    "sense",
                          "--density",    "pipe-menon",  "--pipe-menon-iterations",
                          "40",           "--transform", "toeplitz",
                          "--iterations", "2",           "--backend",
                          "cpu"};
    const auto afresh = here(job + QStringList{"--preprocessing", "afresh"});
    QVERIFY2(afresh.code == 0 && !afresh.out.contains("kept from before"), afresh.out + afresh.err);
    const QDir kept(place.filePath("wisdom.json.kept"));
    QVERIFY(!kept.exists());
    const auto first = here(job);
    QVERIFY2(first.code == 0 && !first.out.contains("kept from before"), first.out + first.err);
    // A busy machine takes long for the point spread function, too, and keeps it.
    QVERIFY(!kept.entryList(QDir::Files).isEmpty());
    const auto said = here(job + QStringList{"--dry-run"});
    QVERIFY2(said.out.contains("density weights: Pipe-Menon, 40 iterations ("), said.out);
    const auto second = here(job);
    QVERIFY2(second.out.contains("kept from before: density weights: Pipe-Menon, 40 iterations (") &&
                 second.out.contains(" saved)"),
             second.out);
    const auto listed = here({"wisdom", "show"});
    QVERIFY2(listed.out.contains("kept: density weights") && listed.out.contains(" kept, "), listed.out);
    for (const QString& name : kept.entryList(QDir::Files)) {
      QFile file(kept.filePath(name));
      QVERIFY(file.open(QIODevice::ReadWrite) && file.seek(5000) && file.write("damage") == 6);
    }
    const auto mended = here(job);
    QVERIFY2(mended.code == 0 && !mended.out.contains("kept from before"), mended.out + mended.err);
    QVERIFY(!kept.entryList(QDir::Files).isEmpty());
    const auto cleared = here({"wisdom", "forget", "--kept"});
    QVERIFY2(cleared.out.contains("kept file"), cleared.out);
    QVERIFY(kept.entryList(QDir::Files).isEmpty());
  }

  // Entries of another processor are kept beside it, under its name; a damaged file changes
  // nothing.
  void machinesAreKeptApart() {
    QFile mine(folder_.filePath("mine.json"));
    QVERIFY(mine.open(QIODevice::ReadOnly));
    const QByteArray text = mine.readAll();
    const qsizetype begin = text.indexOf("cpu: "), end = text.indexOf("; ", begin);
    QVERIFY(begin > 0 && end > begin);
    QByteArray other = text;
    other.replace(text.mid(begin, end - begin), "cpu: Another Processor");
    const auto write = [&](const char* name, const QByteArray& bytes) {
      QFile file(folder_.filePath(name));
      return file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size();
    };
    QVERIFY(write("other.json", other) && write("damaged.json", text.left(text.size() / 2)));
    const auto both = run({"wisdom", "merge", "mine.json", "other.json", "--output", "both.json"});
    QVERIFY2(both.code == 0 && both.out.contains("2 entries written"), both.out + both.err);
    QVERIFY2(both.out.count("  machine") == 2 && both.out.contains("Another Processor"), both.out);
    QFile kept(folder_.filePath("both.json"));
    QVERIFY(kept.open(QIODevice::ReadOnly));
    const QByteArray before = kept.readAll();
    kept.close();
    const auto bad = run({"wisdom", "merge", "mine.json", "damaged.json", "--output", "both.json"});
    QVERIFY2(bad.code == 1 && bad.err.contains("damaged.json") && bad.err.contains("it is damaged"), bad.err);
    QVERIFY(kept.open(QIODevice::ReadOnly));
    QCOMPARE(kept.readAll(), before);
  }

  void isForgotten() {
    QVERIFY(run({"wisdom", "forget", "--match", "3-D"}).out.contains("0 entries forgotten"));
    QVERIFY(run({"wisdom", "forget", "--foreign"}).out.contains("0 entries forgotten"));
    QVERIFY(run({"wisdom", "forget", "--match", "32 x 32"}).out.contains("1 entry forgotten"));
    QVERIFY(run({"wisdom", "show"}).out.contains("0 entries"));
    QVERIFY(elsewhere({"wisdom", "forget", "--all"}).out.contains("1 entry forgotten"));
    QVERIFY(!QFileInfo::exists(other_.filePath("wisdom.json")));
  }

  void wrongUseIsToldApart() {
    QCOMPARE(run({"wisdom"}).code, 2);
    QCOMPARE(run({"wisdom", "forget"}).code, 2);  // nothing is forgotten by accident
    QCOMPARE(run({"wisdom", "forget", "--all", "--foreign"}).code, 2);
    QCOMPARE(run({"wisdom", "import"}).code, 2);
    const auto scan = run({"wisdom", "import", "scan.h5"});
    QCOMPARE(scan.code, 1);
    QVERIFY2(scan.err.contains("it does not hold wisdom"), scan.err);
    QCOMPARE(run({"wisdom", "import", "nothing.json"}).code, 1);
    QCOMPARE(run({"wisdom", "merge", "scan.h5", "-o", "x.json"}).code, 1);
    QVERIFY(!QFileInfo::exists(folder_.filePath("x.json")));
  }
};

SPOKELAB_CORE_TEST(TestWisdomCommand)

}  // namespace test_wisdom_command

#include "test_wisdom_command.moc"
