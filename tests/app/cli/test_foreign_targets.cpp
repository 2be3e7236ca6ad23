// Outputs over files of other programs: refused before anything is computed, replaced with --force;
// what the program keeps for itself is for this user alone.
#include <sys/stat.h>

#include <QtTest>
#include <random>

#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

namespace test_foreign_targets {

using namespace spokelab::test;

class TestForeignTargets : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }
  void keep(const QString& name, const QByteArray& content) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
  }
  QByteArray contentOf(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  static QMap<QString, QByteArray> foreign() {
    return {{"k.mat", "MATLAB 5.0 MAT-file" + QByteArray(120, ' ')},
            {"stream.mrd", QByteArray("\1\0\3\0", 4) + QByteArray(300, '\2')},
            {"numbers", QByteArray(4096, '\3')},
            {"described.json", R"({"spokelab-scan": 1})"},
            {"bids.json", R"({"EchoTime": 0.004})"},
            {"run.sh", "#!/bin/sh\nspokelab-cli info a.h5\n"}};
  }
  static QList<QStringList> commands() {
    return {{"info", "scan.h5", "--json", "TARGET"},
            {"tune", "scan.h5", "--effort", "estimate", "--csv", "TARGET"},
            {"reconstruct", "scan.h5", "-o", "new.npy", "--effort", "estimate", "--json", "TARGET"},
            {"wisdom", "export", "TARGET"},
            {"density", "scan.h5", "--json", "TARGET"},
            {"compare", "truth.npy", "truth.npy", "--json", "TARGET"}};
  }

 private slots:
  void initTestCase() {
    const CliResult r =
        run({"simulate", "-o", "scan.h5", "--matrix", "16", "--coils", "1", "--truth", "truth.npy"});
    QVERIFY2(r.code == 0, r.err);
  }

  void theyStay() {
    const auto files = foreign();
    int cases = 0;
    for (auto file = files.begin(); file != files.end(); ++file) {
      for (QStringList command : commands()) {
        command.replaceInStrings("TARGET", file.key());
        keep(file.key(), file.value());
        const CliResult r = run(command);
        QVERIFY2(r.code == 1 && r.err.contains("Cannot write") && r.err.contains("--force"),
                 command.join(' ').toUtf8() + r.err);
        QCOMPARE(contentOf(file.key()), file.value());
        QVERIFY(!QFile::exists(folder_.filePath("new.npy")));  // nothing was begun
        ++cases;
      }
    }
    countCases("outputs over files of other programs", cases);
  }

  void randomOnesStayToo() {
    std::mt19937 random(campaignSeed(531));
    const QList<QByteArray> beginnings = {"\x89HDF\r\n\x1a\n", "MATLAB 5.0 ", "PK\x03\x04", "\x93NUMPY\x01",
                                          "\x1f\x8b\x08",      "\1\2",        "{\"x\": ",   "# Dimensions\n"};
    const int cases = 4 * campaignFactor();
    for (int i = 0; i < cases; ++i) {
      QByteArray content = beginnings[int(random() % unsigned(beginnings.size()))];
      for (auto n = random() % 3000; n > 0; --n) content += char(random() % 32);
      keep("random", content);
      QStringList command = commands()[int(random() % unsigned(commands().size()))];
      command.replaceInStrings("TARGET", "random");
      const CliResult r = run(command);
      QVERIFY2(r.code == 1 && r.err.contains("Cannot write"), command.join(' ').toUtf8() + r.err);
      QCOMPARE(contentOf("random"), content);
    }
    countCases("outputs over random files", cases);
  }

  void imagesAndArraysStayToo() {
    const QByteArray dictionary = "{'descr': '<c8', 'fortran_order': False, 'shape': (4, 4), }";
    const QByteArray padded = dictionary.leftJustified(117, ' ') + '\n';
    const QByteArray array =
        QByteArray("\x93NUMPY\x01\0", 8) + char(padded.size()) + '\0' + padded + QByteArray(128, '\1');
    keep("k.npy", array);
    keep("k.cfl", QByteArray(128, '\1'));
    keep("k.hdr", "# Dimensions\n4 4\n# Creator\nBART\n");
    for (const char* target : {"k.npy", "k.cfl"}) {
      const QByteArray before = contentOf(target);
      for (const QStringList& command :
           {QStringList{"reconstruct", "scan.h5", "-o", target, "--effort", "estimate"},
            QStringList{"forward", "truth.npy", "--trajectory", "scan.h5", "-o", target}}) {
        const CliResult r = run(command);
        QVERIFY2(r.code == 1 && r.err.contains("that Spokelab did not write"), r.err);
        QCOMPARE(contentOf(target), before);
      }
    }
  }

  void forceReplacesThem() {
    keep("bids.json", R"({"EchoTime": 0.004})");
    for (const QStringList& command : {QStringList{"--force", "info", "scan.h5", "--json", "bids.json"},
                                       QStringList{"info", "truth.npy", "--describe", "bids.json", "--force"},
                                       QStringList{"info", "scan.h5", "--json", "bids.json", "--force"}}) {
      const CliResult r = run(command);
      QVERIFY2(r.code == 0, command.join(' ').toUtf8() + r.err);
    }
    QVERIFY(contentOf("bids.json").contains("provenance"));
    const CliResult read = run({"info", "scan.h5", "--json", "scan.h5", "--force"});
    QVERIFY2(read.code == 1 && read.err.contains("it is what was read"), read.err);
  }

  void whatTheProgramWroteIsReplaced() {
    for (const char* output : {"i.npy", "i.cfl", "i.nii", "i.nii.gz", "i.h5", "i.png"})
      for (int twice = 0; twice < 2; ++twice) {
        const CliResult r = run({"reconstruct", "scan.h5", "-o", output, "--effort", "estimate", "--json",
                                 "r.json", "--trace", "t.json"});
        QVERIFY2(r.code == 0, r.err);
      }
    for (int twice = 0; twice < 2; ++twice)
      QCOMPARE(run({"tune", "scan.h5", "--effort", "estimate", "--csv", "t.csv", "--json", "r.json"}).code,
               0);
  }

  void everyDocumentSaysItsFormat() {
    const QStringList scan{"scan.h5", "--effort", "estimate"};
    for (const QStringList& command :
         {QStringList{"info", "scan.h5", "--json", "f.json"},
          QStringList{"tune"} + scan + QStringList{"--json", "f.json"},
          QStringList{"reconstruct"} + scan + QStringList{"-o", "i.npy", "--json", "f.json"},
          QStringList{"reconstruct"} + scan + QStringList{"-o", "i.npy", "--trace", "f.json"},
          QStringList{"density", "scan.h5", "--json", "f.json"},
          QStringList{"compare", "truth.npy", "truth.npy", "--json", "f.json"},
          QStringList{"wisdom", "export", "f.json"}}) {
      QFile::remove(folder_.filePath("f.json"));
      const CliResult r = run(command);
      QVERIFY2(r.code == 0, command.join(' ').toUtf8() + r.err);
      const QJsonObject j = QJsonDocument::fromJson(contentOf("f.json")).object();
      QVERIFY2(j["format"].toString().startsWith("spokelab-"), qPrintable(command.join(' ')));
    }
  }

  void whatTheProgramKeepsIsTheUsersAlone() {
    QVERIFY(run({"tune", "scan.h5", "--accuracy", "1e-2"}).code == 0);
    struct stat status {};
    for (const char* name : {"wisdom.json", "wisdom.json.lock"}) {
      QVERIFY2(::stat(folder_.filePath(name).toUtf8(), &status) == 0, name);
      QCOMPARE(int(status.st_mode & 0777), 0600);
    }
  }
};

SPOKELAB_CORE_TEST(TestForeignTargets)

}  // namespace test_foreign_targets

#include "test_foreign_targets.moc"
