// Refusals of the system are told in plain words with a remedy that helps: closed standard output,
// a limit on the size of files, a full disk, a name that holds NUL.
#include <sys/mount.h>
#include <sys/resource.h>
#include <unistd.h>

#include <QtTest>

#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

using namespace spokelab::test;

class TestPlainReasons : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments, const std::function<void()>& prepare = {}) const {
    return runCli(folder_.path(), arguments, prepare);
  }

 private slots:
  void initTestCase() {
    const CliResult r = run({"simulate", "-o", "scan.h5", "--matrix", "16", "--coils", "1"});
    QVERIFY2(r.code == 0, r.err);
  }

  void closedStandardOutputIsAnError() {
    const auto closed = [] { ::close(STDOUT_FILENO); };
    for (const QStringList& command :
         {QStringList{"info", "scan.h5", "--json", "-"}, QStringList{"info", "scan.h5"},
          QStringList{"tune", "scan.h5", "--effort", "estimate", "--json", "-"}}) {
      const CliResult r = run(command, closed);
      QVERIFY2(r.code == 1 && r.err.contains("error: Cannot write"), r.err);
    }
    const CliResult file = run({"info", "scan.h5", "--json", "out.json"}, closed);
    QVERIFY2(file.err.contains("standard output is closed"), file.err);
    QVERIFY(QFile(folder_.filePath("out.json")).exists());
    const CliResult all = run({"info", "scan.h5", "--json", "-"}, [] {
      for (const int standard : {0, 1, 2}) ::close(standard);
    });
    QCOMPARE(all.code, 1);
  }

  void aLimitOnFilesIsNamed() {
    const CliResult r = run({"info", "scan.h5"}, [] {
      const rlimit one{1 << 20, 1 << 20};
      setrlimit(RLIMIT_FSIZE, &one);
    });
    QVERIFY2(r.code == 1 && r.err.contains("ulimit -f") && !r.err.contains("Close other programs"), r.err);
  }

  void aFullDiskIsNamed() {
    const QByteArray disk = folder_.filePath("disk").toUtf8();
    QVERIFY(QDir().mkpath(folder_.filePath("disk")));
    if (::mount("tmpfs", disk, "tmpfs", 0, "size=256k") != 0) QSKIP("only root makes a small disk");
    QFile ballast(disk + "/ballast");
    QVERIFY(ballast.open(QIODevice::WriteOnly));
    for (const char* output : {"disk/s.h5", "disk/i.h5"})
      for (const int kibibytes : {256, 252, 244, 200}) {
        ballast.resize(0);
        ballast.seek(0);
        ballast.write(QByteArray(kibibytes * 1024, 'x'));
        ballast.flush();
        const CliResult r = QString(output).endsWith("s.h5")
                                ? run({"simulate", "-o", output, "--matrix", "64", "--coils", "4"})
                                : run({"reconstruct", "scan.h5", "-o", output, "--effort", "estimate"});
        if (r.code == 0) continue;  // there was room
        const bool plain = r.err.contains("No space left on device") && !r.err.contains("HDF5");
        if (!plain) qWarning("%s", r.err.constData());
        if (!plain) ::umount2(disk, MNT_DETACH);
        QVERIFY(plain);
      }
    ballast.close();
    QCOMPARE(::umount2(disk, MNT_DETACH), 0);
  }

  void aNameWithNulIsRefused() {
    QFile description(folder_.filePath("scan.json"));
    QVERIFY(description.open(QIODevice::WriteOnly));
    description.write(R"({"spokelab-scan": 1, "samples": {"file": "k.npy\u0000.txt"}})");
    description.close();
    const CliResult r = run({"info", "scan.json"});
    QVERIFY2(r.code == 1 && r.err.contains("NUL character"), r.err);
    QFile fine(folder_.filePath("fine.json"));
    QVERIFY(fine.open(QIODevice::WriteOnly));
    fine.write(R"({"spokelab-scan": 1, "samples": {"file": "k.npy\\u0000.txt"}})");  // a backslash, no NUL
    fine.close();
    QVERIFY(!run({"info", "fine.json"}).err.contains("NUL"));
  }
};

SPOKELAB_CORE_TEST(TestPlainReasons)
#include "test_plain_reasons.moc"
