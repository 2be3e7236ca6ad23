// `null`, a text, a negative or a vast number in the place of each kind of number, in every
// document that a command reads: an error in words or a result, and an end.
#include <QtTest>

#include <QRegularExpression>

#include <algorithm>
#include <random>

#include "tests/app/cli/run_cli.h"
#include "tests/campaign.h"
#include "tests/test_main.h"

using namespace spokelab::test;

namespace {

const QString placeholder = QStringLiteral("DOCUMENT");
constexpr int nullsOfEach = 12;  // times campaignFactor()

struct Reader {
  const char* name;
  QStringList arguments;  // one is the placeholder
  QString document;
};

class TestNullDocuments : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  CliResult run(const QStringList& arguments) const { return runCli(folder_.path(), arguments); }

  static std::vector<Reader> readers() {
    return {
        {"merged wisdom", {"wisdom", "merge", "kept.json", placeholder, "-o", "merged.json"}, "kept.json"},
        {"merged first", {"wisdom", "merge", placeholder, "kept.json", "-o", "merged.json"}, "kept.json"},
        {"imported wisdom", {"wisdom", "import", placeholder}, "kept.json"},
        {"own wisdom",
         {"tune", "scan.h5", "--trials", "1", "--time-limit", "0.1", "--wisdom", placeholder},
         "kept.json"},
        {"plans",
         {"baseline", "scan.h5", "--plans", placeholder, "--save", "other.json", "--rounds", "4"},
         "sweep.json"},
        {"baseline", {"baseline", "--against", placeholder, "--with", "base.json"}, "base.json"},
        {"second baseline", {"baseline", "--against", "base.json", "--with", placeholder}, "base.json"},
        {"suite", {"suite", placeholder, "-o", "suite", "--list"}, "suite.json"},
        {"share", {"merge", placeholder, "share.2-of-2.json", "-o", "merged.json"}, "share.1-of-2.json"},
        {"description", {"info", placeholder}, "arrays.json"},
        {"replay", {"report", "--replay", placeholder, "-o", "again"}, "rep/report.json"}};
  }

  QByteArray contentOf(const QString& name) const {
    QFile file(folder_.filePath(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
  }
  void keep(const QString& name, const QByteArray& content) const {
    QFile file(folder_.filePath(name));
    QVERIFY(file.open(QIODevice::WriteOnly) && file.write(content) == content.size());
  }

  // Where numbers begin, and how long they are; also of documents inside texts.
  static std::vector<std::pair<qsizetype, qsizetype>> numbersIn(const QString& text) {
    static const QRegularExpression number(R"((?<=[:\[,\s])-?\d+(\.\d+)?([eE][+-]?\d+)?(?=\s*[,\]}]))");
    std::vector<std::pair<qsizetype, qsizetype>> found;
    for (auto all = number.globalMatch(text); all.hasNext();) {
      const auto match = all.next();
      found.emplace_back(match.capturedStart(), match.capturedLength());
    }
    return found;
  }

 private Q_SLOTS:
  void initTestCase() {
    const QStringList quick = {"--trials", "1", "--time-limit", "0.1"};
    const QList<QStringList> commands = {
        {"simulate", "-o", "scan.h5", "--matrix", "16"},
        QStringList{"tune", "scan.h5", "--wisdom", "kept.json"} + quick,
        QStringList{"sweep", "scan.h5", "--json", "sweep.json"} + quick,
        QStringList{"sweep", "scan.h5", "--json", "share.json", "--shard", "1/2"} + quick,
        QStringList{"sweep", "scan.h5", "--json", "share.json", "--shard", "2/2"} + quick,
        QStringList{"report", "scan.h5", "-o", "rep"} + quick,
        {"baseline", "scan.h5", "--plans", "sweep.json", "--save", "base.json", "--rounds", "4"}};
    for (const QStringList& command : commands) {
      const CliResult r = run(command);
      QVERIFY2(r.code == 0, command.join(' ').toUtf8() + ": " + r.err);
    }
    keep("suite.json", R"({"format": "spokelab-suite", "formatVersion": 1, "name": "mine",
 "cases": [{"study": "alpha", "sizes": [16], "accelerations": [2]}, {"scan": "scan.h5"}]})");
    keep("arrays.json", R"({"spokelab-scan": 1, "samples": {"file": "y.npy", "axes": ["shot", "sample"]},
 "trajectory": {"file": "k.npy"}, "matrix": [16, 16], "fov_mm": [200, 200], "dwell_us": 2})");
  }

  void commandsEnd_data() {
    QTest::addColumn<int>("reader");
    for (int i = 0; i < int(readers().size()); ++i) QTest::newRow(readers()[std::size_t(i)].name) << i;
  }
  void commandsEnd() {
    QFETCH(int, reader);
    const Reader r = readers()[std::size_t(reader)];
    const QString whole = QString::fromUtf8(contentOf(r.document));
    auto numbers = numbersIn(whole);
    QVERIFY(!numbers.empty());
    std::mt19937 random(campaignSeed(300 + unsigned(reader)));
    std::shuffle(numbers.begin(), numbers.end(), random);
    numbers.resize(std::min(numbers.size(), std::size_t(nullsOfEach * campaignFactor())));
    // All numbers of a list of repeats, too.
    QStringList documents;
    static const QStringList bad = {"null", "-1", "null", "1e400", "null", "1e300", "\"12\""};
    qsizetype next = 0;
    for (const auto& [at, length] : numbers)
      documents << QString(whole).replace(at, length, bad[next++ % bad.size()]);
    static const QRegularExpression runs(R"((\\?"runs\\?":\s*)\[[^\]\[{}]*\])");
    if (whole.contains(runs)) documents << QString(whole).replace(runs, R"(\1[null, null, 1e-4])");
    for (const QString& document : documents) {
      keep("nulls.json", document.toUtf8());
      QStringList arguments = r.arguments;
      arguments.replaceInStrings(placeholder, "nulls.json");
      const CliResult result = run(arguments);
      QVERIFY2(result.code == 0 || result.code == 1, document.toUtf8() + result.err);
      if (result.code == 1) QVERIFY2(result.err.contains("error: "), result.err);
    }
    countCases("documents with null or a wrong number in the place of a number", int(documents.size()));
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestNullDocuments)
#include "test_null_documents.moc"
