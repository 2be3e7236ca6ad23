// No command writes over what it reads, or two outputs to one file: it refuses before it works.
#include <fcntl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <QtTest>

#include <filesystem>
#include <fstream>

#include "engine/core/document.h"

#include "tests/app/cli/run_cli.h"
#include "tests/killed_writer.h"
#include "tests/test_main.h"

using spokelab::readDocument;
using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;
namespace fs = std::filesystem;

class TestKeptInputs : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QStringList before_;
  std::string wisdom_;

  CliResult run(const QStringList& arguments) { return runCli(folder_.path(), arguments); }
  fs::path at(const char* name) const { return folder_.filePath(name).toStdString(); }

  void write(const char* name, const QByteArray& content) {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    file.write(content);
  }

  static QByteArray npy(const char* type, const char* shape, const QByteArray& data) {
    QByteArray head =
        QByteArray("{'descr': '") + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
    head = head.leftJustified(117, ' ') + '\n';
    return QByteArray("\x93NUMPY\x01\x00", 8) + char(head.size()) + '\0' + head + data;
  }

 private slots:
  void initTestCase() {
    const auto made =
        run({"simulate", "-o", "scan.h5", "--matrix", "16", "--coils", "1", "--truth", "map.npy"});
    QVERIFY2(made.code == 0, made.err);
    QVERIFY(run({"reconstruct", "scan.h5", "-o", "image.nii.gz", "--effort", "estimate"}).code == 0);
    write("k.npy", npy("<f4", "(8, 16, 2)", QByteArray(8 * 16 * 2 * 4, '\0')));
    write("y.npy", npy("<c8", "(8, 16)", QByteArray(8 * 16 * 8, '\x3f')));
    write("arrays.json", R"({"spokelab-scan": 1, "samples": {"file": "y.npy", "axes": ["shot", "sample"]},
      "trajectory": {"file": "k.npy", "axes": ["shot", "sample", "column"]}, "matrix": [16, 16]})");
    QVERIFY(run({"baseline", "scan.h5", "--alphas", "2", "--widths", "4", "--rounds", "4", "--executions",
                 "1", "--save", "before.json"})
                .code == 0);
    const auto report = run({"report", "scan.h5", "-o", "report", "--alphas", "2", "--widths", "4",
                             "--trials", "1", "--effort", "estimate"});
    QVERIFY2(report.code == 0, report.err);
    fs::create_symlink("scan.h5", at("link.h5"));
    fs::create_hard_link(at("scan.h5"), at("hard.h5"));
    fs::create_directory(at("maps"));
    fs::copy_file(at("map.npy"), at("maps/field.nii.gz"));
    QVERIFY(run({"tune", "scan.h5", "--trials", "1"}).code == 0);
    wisdom_ = readDocument(at("wisdom.json"));
    before_ = filesIn(folder_.path());
  }

  void anInputIsNoOutput_data() {
    QTest::addColumn<QStringList>("arguments");
    QTest::addColumn<QByteArray>("remedy");
    const auto add = [](const char* line, const char* remedy = "Give ") {
      QTest::newRow(line) << QString::fromUtf8(line).split(QLatin1Char(' ')) << QByteArray(remedy);
    };
    // The scan that a document names is not known yet: it is kept as raw data.
    const char* const rawData = "Choose another name, or delete it yourself first";
    add("reconstruct scan.h5 -o scan.h5");
    add("reconstruct scan.h5 -o link.h5");
    add("reconstruct link.h5 -o hard.h5");
    add("reconstruct scan.h5 -o image.npy --json ./scan.h5");
    add("reconstruct scan.h5 -o map.npy --reference map.npy");
    add("reconstruct scan.h5 -o map.npy --field-map map.npy");
    add("reconstruct scan.h5 -o map.npy --coil-maps map.npy");
    add("reconstruct arrays.json -o y.npy");
    add("reconstruct arrays.json -o k.npy");
    add("reconstruct arrays.json -o arrays.npy --json arrays.json");
    add("reconstruct scan.h5 -o new.npy --json new.npy.json");
    add("reconstruct scan.h5 -o new.nii --json new.nii");
    add("reconstruct scan.h5 -o new.nii --json wisdom.json");
    add("info scan.h5 --json scan.h5");
    add("info y.npy --describe y.npy");
    add("info y.npy --describe k.npy", rawData);
    add("tune scan.h5 --csv scan.h5");
    add("tune scan.h5 --timeline scan.h5");
    add("tune scan.h5 --csv same --json same");
    add("sweep scan.h5 --json scan.h5");
    add("sweep hard.h5 --csv link.h5");
    add("density scan.h5 --json scan.h5");
    add("off-resonance scan.h5 --field-map maps/field.nii.gz --json maps/field.nii.gz");
    add("maps scan.h5 --field-map maps/field.nii.gz -o maps");
    add("report scan.h5 -o new --json scan.h5");
    add("report --replay report/report.json -o report");
    add("report --replay report/report.json -o new --json scan.h5", rawData);
    add("baseline scan.h5 --save scan.h5");
    add("baseline --against before.json --save before.json");
    add("baseline --against before.json --csv scan.h5", rawData);
    add("compare map.npy map.npy --json map.npy");
    add("simulate -o same.h5 --truth same.h5");
    add("wisdom import before.json --wisdom before.json");
  }
  void anInputIsNoOutput() {
    QFETCH(QStringList, arguments);
    QFETCH(QByteArray, remedy);
    const std::string scan = readDocument(at("scan.h5"));
    const auto r = run(arguments);
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("what to do: " + remedy), r.err);
    QVERIFY(readDocument(at("scan.h5")) == scan);
    QVERIFY(readDocument(at("wisdom.json")) == wisdom_);
    QCOMPARE(filesIn(folder_.path()), before_);  // and nothing was begun
  }

  // Raw data in plain arrays, whether the job reads them or not.
  void describedArraysAreNoOutput_data() {
    QTest::addColumn<QString>("target");
    QTest::newRow("samples") << QStringLiteral("y.npy");
    QTest::newRow("trajectory") << QStringLiteral("k.npy");
    QTest::newRow("through a link") << QStringLiteral("link.npy");
    QTest::newRow("BART's pair") << QStringLiteral("pair.cfl");
  }

  void describedArraysAreNoOutput() {
    QFETCH(QString, target);
    QTemporaryDir other;
    const fs::path there = other.path().toStdString();
    fs::copy(at("scan.h5"), there / "scan.h5");
    for (const char* name : {"y.npy", "k.npy", "arrays.json"}) fs::copy(at(name), there / name);
    fs::create_symlink("y.npy", there / "link.npy");
    std::ofstream(there / "pair.hdr") << "# Dimensions\n8 16\n";
    std::ofstream(there / "pair.cfl") << std::string(8 * 16 * 8, 'x');
    std::ofstream(there / "pair.json")
        << R"({"spokelab-scan": 1, "samples": {"file": "pair.cfl", "axes": ["sample", "shot"]}})";
    const std::string before = readDocument(there / target.toStdString());
    const auto refused =
        runCli(other.path(), {"reconstruct", "scan.h5", "-o", target, "--effort", "estimate"});
    QVERIFY(refused.code != 0);
    QVERIFY2(refused.err.contains("holds raw data"), refused.err);
    QCOMPARE(readDocument(there / target.toStdString()), before);
    // A file that no description names is written.
    const auto replaced =
        runCli(other.path(), {"reconstruct", "scan.h5", "-o", "image.npy", "--effort", "estimate"});
    QVERIFY2(replaced.code == 0, replaced.err);
  }

  void theWordsDoNotGoToAnInput() {
    const auto size = fs::file_size(at("scan.h5"));
    const auto r = runCli(folder_.path(), {"info", "scan.h5"}, [this] {
      // as the shell's >>
      if (const int fd = ::open(at("scan.h5").c_str(), O_WRONLY | O_APPEND); fd >= 0) ::dup2(fd, 1);
    });
    QCOMPARE(r.code, 1);
    QCOMPARE(fs::file_size(at("scan.h5")), size);
  }

  void aDeviceIsWrittenTo() {
    const auto r = run({"info", "scan.h5", "--json", "/dev/stdout"});
    QCOMPARE(r.code, 0);
    QVERIFY2(r.out.contains("\"provenance\""), r.out);
    if (::mknod(at("null").c_str(), S_IFCHR | 0666, makedev(1, 3)) != 0) QSKIP("devices cannot be made here");
    if (::access(at("null").c_str(), W_OK) != 0) QSKIP("devices cannot be written here");
    const auto null = run({"tune", "scan.h5", "--effort", "estimate", "--json", "null", "--csv", "null"});
    QVERIFY(fs::is_character_file(at("null")));
    fs::remove(at("null"));
    QVERIFY2(null.code == 0, null.err);
  }

  void aFullDiskIsSaidInPlainWords() {
    for (const char* name : {"full.h5", "full.nii.gz", "full.png"}) {
      const auto r = runCli(folder_.path(), {"reconstruct", "demo", "-o", name, "--effort", "estimate"}, [] {
        const rlimit small{4096, 4096};
        ::setrlimit(RLIMIT_FSIZE, &small);
      });
      QCOMPARE(r.code, 1);
      QVERIFY2(r.err.contains("File too large") && r.err.contains("Free some space"), r.err);
      QVERIFY2(!r.err.contains("errno") && !r.err.contains("buf ="), r.err);
    }
    const auto scan = runCli(folder_.path(), {"simulate", "-o", "full.h5", "--matrix", "32"}, [] {
      const rlimit small{20'000, 20'000};
      ::setrlimit(RLIMIT_FSIZE, &small);
    });
    QCOMPARE(scan.code, 1);
    QVERIFY2(scan.err.contains("File too large") && scan.err.contains("Free some space"), scan.err);
    QCOMPARE(filesIn(folder_.path()), before_);
  }

  void whatKilledWritersLeftGoesWithTheNextWriter() {
    const std::string name = spokelab::test::leftByKilledWriter("gone.nii.gz").string();
    write(name.c_str(), "half");
    fs::create_directories(at((name + "-9").c_str()));  // no name of ours
    QVERIFY(run({"reconstruct", "scan.h5", "-o", "image.nii.gz", "--effort", "estimate"}).code == 0);
    QVERIFY(!fs::exists(at(name.c_str())));
    QVERIFY(fs::exists(at((name + "-9").c_str())));
  }
};

SPOKELAB_CORE_TEST(TestKeptInputs)
#include "test_kept_inputs.moc"
