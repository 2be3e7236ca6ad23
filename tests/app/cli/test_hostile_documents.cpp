// Documents that are damaged, hostile or endless, at every place where a command takes one: an
// error in words or a result, never a signal, and no wait that cannot be ended.
#include <QtTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include "app/cli/command_line.h"
#include "engine/core/document.h"
#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/document_mutator.h"
#include "tests/test_main.h"

using namespace spokelab::test;

namespace {

constexpr int mutationsOfEach = 12;  // times campaignFactor()
const QString placeholder = QStringLiteral("DOCUMENT");

// A reader of documents, with a whole document to begin with.
struct Reader {
  const char* name;
  QStringList arguments;  // one is the placeholder
  QString document;
};

}  // namespace

class TestHostileDocuments : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }

  std::vector<Reader> readers() const {
    return {{"plans",
             {"baseline", "scan.h5", "--plans", placeholder, "--save", "other.json", "--rounds", "4"},
             "sweep.json"},
            {"baseline", {"baseline", "--against", placeholder, "--with", "base.json"}, "base.json"},
            {"suite", {"suite", placeholder, "-o", "suite", "--list"}, "suite.json"},
            {"wisdom", {"wisdom", "import", placeholder}, "wisdom.json"},
            {"own wisdom", {"wisdom", "show", "--wisdom", placeholder}, "wisdom.json"},
            {"description", {"info", placeholder}, "arrays.json"},
            {"replay", {"report", "--replay", placeholder, "-o", "again"}, "rep/report.json"}};
  }

  QByteArray contentOf(const QString& name) const {
    return QByteArray::fromStdString(spokelab::readDocument(folder_.filePath(name).toStdString()));
  }

  void keep(const QString& name, const QByteArray& content) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
  }

  CliResult runWith(const Reader& reader, const QString& document) const {
    QStringList arguments = reader.arguments;
    arguments.replaceInStrings(placeholder, document);
    return run(arguments);
  }

 private slots:
  void initTestCase() {
    const QStringList quick = {"--trials", "1", "--time-limit", "0.1"};
    const QList<QStringList> commands = {
        {"simulate", "-o", "scan.h5", "--matrix", "16"},
        QStringList{"tune", "scan.h5"} + quick,
        QStringList{"sweep", "scan.h5", "--json", "sweep.json"} + quick,
        QStringList{"report", "scan.h5", "-o", "rep"} + quick,
        {"baseline", "scan.h5", "--plans", "sweep.json", "--save", "base.json", "--rounds", "4"}};
    for (const QStringList& command : commands) {
      const CliResult r = run(command);
      QVERIFY2(r.code == 0, command.join(' ').toUtf8() + ": " + r.err);
    }
    keep("suite.json", R"({"format": "spokelab-suite", "formatVersion": 1, "name": "mine",
 "cases": [{"study": "alpha", "sizes": [16],
 "accelerations": [2]}, {"scan": "scan.h5"}]})");
    keep("arrays.json", R"({"spokelab-scan": 1, "samples": {"file": "y.npy", "axes": ["shot", "sample"]},
 "trajectory": {"file": "k.npy"},
 "matrix": [16, 16],
 "notes": "none"})");
  }

  void mutatedDocumentsAreErrorsInWords_data() {
    QTest::addColumn<int>("reader");
    for (int i = 0; i < int(readers().size()); ++i) QTest::newRow(readers()[std::size_t(i)].name) << i;
  }

  void mutatedDocumentsAreErrorsInWords() {
    QFETCH(int, reader);
    const Reader r = readers()[std::size_t(reader)];
    const QByteArray whole = contentOf(r.document);
    DocumentMutator mutate(campaignSeed(100 + unsigned(reader)));
    const int count = mutationsOfEach * campaignFactor();
    for (int i = 0; i < count; ++i) {
      keep("hostile.json", mutate(whole));
      const CliResult result = runWith(r, "hostile.json");
      if (result.code != 0 && result.code != 1) {
        QFAIL(qPrintable(QString("exit code %1, %2").arg(result.code).arg(QString::fromUtf8(result.err))));
      }
      if (result.code == 1) QVERIFY2(result.err.contains("error: "), result.err);
    }
    countCases("hostile documents", count);
  }

  void deepDocumentsAreRefused() {
    keep("deep.json", QByteArray(20'000, '[') + QByteArray(20'000, ']'));
    for (const Reader& reader : readers()) {
      const CliResult r = runWith(reader, "deep.json");
      QVERIFY2(r.code == 1, reader.name);
      QVERIFY2(r.err.contains("why: "), r.err);
    }
  }

  void endlessDocumentsAreRefused() {
    for (const Reader& reader : readers()) {
      const CliResult r = runWith(reader, "/dev/zero");
      QVERIFY2(r.code == 1, reader.name);
      QVERIFY2(r.err.contains("longer than") || r.err.contains("not a regular file"), r.err);
    }
  }

  void waitingForAPipeEndsWithASignal() {
    const QString pipe = folder_.filePath("pipe");
    QCOMPARE(::mkfifo(pipe.toUtf8().constData(), 0600), 0);
    QProcess process;
    process.setProcessEnvironment(cliEnvironment(folder_.path()));
    process.setWorkingDirectory(folder_.path());
    process.start(SPOKELAB_CLI, {"suite", "pipe", "-o", "suite"});
    constexpr int patience = 30'000;  // ms
    int writer = -1;                  // can be had as soon as the program waits at the other end
    QTRY_VERIFY_WITH_TIMEOUT(
        (writer = ::open(pipe.toUtf8().constData(), O_WRONLY | O_NONBLOCK | O_CLOEXEC)) >= 0, patience);
    ::kill(pid_t(process.processId()), SIGTERM);
    QVERIFY(process.waitForFinished(patience));
    ::close(writer);
    QCOMPARE(process.exitStatus(), QProcess::NormalExit);
    QCOMPARE(process.exitCode(), int(spokelab::exitCode::terminated));
  }

  void arraysThatAreNoFilesAreRefused() {
    QCOMPARE(::mkfifo(folder_.filePath("y.npy").toUtf8().constData(), 0600), 0);
    const CliResult r = run({"info", "arrays.json"});
    QVERIFY2(r.code == 1 && r.err.contains("not a regular file"), r.err);
  }

  // A scan that is named as wisdom, or a folder, is all there afterwards.
  void whatIsNotWisdomIsRefused() {
    const QByteArray scan = contentOf("scan.h5");
    QVERIFY(QFile::copy(folder_.filePath("scan.h5"), folder_.filePath("other.h5")));
    for (const char* named : {"other.h5", "rep", "."})
      for (const QStringList& command : {QStringList{"tune", "scan.h5", "--wisdom", named},
                                         {"wisdom", "forget", "--all", "--wisdom", named}}) {
        const CliResult r = run(command);
        const QByteArray reason =
            QByteArray(named) == "other.h5" ? "holds raw data" : "Cannot keep wisdom in";
        QVERIFY2(r.code == 1 && r.err.contains(reason), r.out + r.err);
      }
    QCOMPARE(contentOf("other.h5"), scan);
    const CliResult own = run({"tune", "scan.h5", "--wisdom", "scan.h5"});
    QVERIFY2(own.code == 1 && own.err.contains("it is what was read"), own.err);
    QCOMPARE(contentOf("scan.h5"), scan);
    QVERIFY(QFileInfo(folder_.filePath("rep")).isDir());
    QVERIFY(filesIn(folder_.path()).filter(".aside").isEmpty());
  }
};

SPOKELAB_CORE_TEST(TestHostileDocuments)
#include "test_hostile_documents.moc"
