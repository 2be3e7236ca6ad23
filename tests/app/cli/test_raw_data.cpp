// Raw data are never a target, read by the command or not: refused before anything is computed.
#include <fcntl.h>
#include <unistd.h>

#include <QtTest>

#include <filesystem>

#include "engine/core/document.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_raw_data {

using spokelab::readDocument;
using spokelab::test::CliResult;
using spokelab::test::filesIn;
using spokelab::test::runCli;
namespace fs = std::filesystem;

class TestRawData : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }
  fs::path at(const char* name) const { return folder_.filePath(name).toStdString(); }

  void keep(const char* name, const QByteArray& content) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
  }

  // `made`, a scan of ours, as if a scanner had written it.
  QByteArray scannersOwn(const char* made) const {
    QByteArray bytes = QByteArray::fromStdString(readDocument(at(made)));
    const QByteArray mark = "<systemVendor>Spokelab<", other = "<systemVendor>ScanMark<";
    return bytes.count(mark) == 1 ? bytes.replace(mark, other) : QByteArray();
  }

  // Everything in the folder, by name; of links and folders only the names.
  QMap<QString, std::string> contents() const {
    QMap<QString, std::string> all;
    for (const QString& name : filesIn(folder_.path())) {
      const fs::path file = folder_.filePath(name).toStdString();
      all[name] = fs::is_regular_file(file) ? readDocument(file) : std::string();
    }
    all["folder/coils.nii.gz"] = readDocument(at("folder/coils.nii.gz"));
    return all;
  }

  void refused(const QStringList& arguments, const char* reason) const {
    const auto before = contents();
    const CliResult r = run(arguments);
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("error: Cannot write ") && r.err.contains(reason), r.err);
    QVERIFY2(r.err.contains("what to do: Choose another name, or delete it yourself first"), r.err);
    QVERIFY(contents() == before);  // nothing was begun
  }

 private slots:
  void initTestCase() {
    const QList<QStringList> commands = {
        {"simulate", "-o", "scan.h5", "--matrix", "16", "--coils", "1", "--truth", "map.npy"},
        {"simulate", "-o", "own.h5", "--matrix", "20", "--coils", "1"},
        {"sweep", "scan.h5", "--json", "sweep.json", "--trials", "1", "--time-limit", "0.1"},
        {"reconstruct", "scan.h5", "-o", "image.h5", "--effort", "estimate"}};
    for (const QStringList& command : commands) {
      const CliResult r = run(command);
      QVERIFY2(r.code == 0, command.join(' ').toUtf8() + ": " + r.err);
    }
    const QByteArray raw = scannersOwn("own.h5");
    QVERIFY(!raw.isEmpty());
    keep("raw.h5", raw);
    keep("raw.json", raw);  // the name does not matter
    keep("half.h5", raw.left(raw.size() / 2));
    fs::create_symlink("raw.h5", at("link.h5"));
    fs::create_directory(at("folder"));
    keep("folder/coils.nii.gz", raw);
    fs::create_symlink("../raw.h5", at("folder/report.json"));
    fs::create_symlink("../raw.h5", at("folder/results.csv"));
  }

  void noCommandReplacesIt_data() {
    QTest::addColumn<QStringList>("arguments");
    const auto add = [](const char* line) {
      QTest::newRow(line) << QString::fromUtf8(line).split(QLatin1Char(' '));
    };
    add("reconstruct scan.h5 -o raw.h5");
    add("reconstruct scan.h5 -o link.h5");
    add("reconstruct scan.h5 -o own.h5");
    add("reconstruct scan.h5 -o new.npy --json raw.json");
    add("info scan.h5 --json raw.h5");
    add("info map.npy --describe raw.json");
    add("forward map.npy --trajectory scan.h5 -o raw.h5");
    add("forward map.npy --trajectory scan.h5 -o new.h5 --json link.h5");
    add("simulate -o raw.h5 --matrix 16");
    add("simulate -o link.h5 --matrix 16");
    add("simulate -o new.h5 --matrix 16 --truth raw.h5");
    add("simulate -o new.h5 --matrix 16 --field head --field-file own.h5");
    add("tune scan.h5 --csv raw.h5");
    add("tune scan.h5 --timeline raw.json");
    add("tune scan.h5 --wisdom raw.json");
    add("sweep scan.h5 --csv raw.h5");
    add("sweep scan.h5 --json link.h5");
    add("study alpha --sizes 16 --csv raw.h5");
    add("suite quick -o folder");
    add("density scan.h5 --json raw.h5");
    add("off-resonance scan.h5 --json raw.h5");
    add("maps scan.h5 -o folder");
    add("report scan.h5 -o folder");
    add("report scan.h5 -o new --json raw.h5");
    add("baseline scan.h5 --plans sweep.json --save raw.json");
    add("compare map.npy map.npy --json raw.h5");
    add("wisdom export raw.h5");
  }
  void noCommandReplacesIt() {
    QFETCH(QStringList, arguments);
    refused(arguments, "holds raw data");
  }

  void aHalfCopiedScanStays() {
    refused({"reconstruct", "scan.h5", "-o", "half.h5"}, "may hold raw data");
    refused({"simulate", "-o", "half.h5", "--matrix", "16"}, "may hold raw data");
  }

  void theWordsAreNotAppendedToIt() {
    const auto before = contents();
    const CliResult r = runCli(folder_.path(), {"info", "scan.h5"}, [this] {
      if (const int fd = ::open(at("raw.h5").c_str(), O_WRONLY | O_APPEND); fd >= 0) ::dup2(fd, 1);
    });
    QCOMPARE(r.code, 1);
    QVERIFY2(r.err.contains("holds raw data"), r.err);
    QVERIFY(contents() == before);
  }

  void whatSpokelabMadeIsMadeAgain() {
    const auto again = [this](const QStringList& arguments, const char* output) {
      const std::string before = readDocument(at(output));
      const CliResult r = run(arguments);
      QVERIFY2(r.code == 0, r.err);
      QVERIFY(readDocument(at(output)) != before);
    };
    again({"reconstruct", "own.h5", "-o", "image.h5", "--effort", "estimate"}, "image.h5");
    again({"simulate", "-o", "own.h5", "--matrix", "24", "--coils", "2"}, "own.h5");
    again({"forward", "map.npy", "--trajectory", "scan.h5", "-o", "own.h5"}, "own.h5");
    again({"simulate", "-o", "own.h5", "--matrix", "16"}, "own.h5");
  }
};

SPOKELAB_CORE_TEST(TestRawData)

}  // namespace test_raw_data

#include "test_raw_data.moc"
