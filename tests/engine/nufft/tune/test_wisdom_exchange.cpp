// Wisdom that travels: exported, imported, merged, forgotten entry by entry; hostile files and
// entries are refused.
#include <QtTest>

#include <fstream>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/measure/rank_test.h"
#include "engine/nufft/tune/wisdom.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/engine/nufft/tune/wisdom_test.h"
#include "tests/test_main.h"

namespace test_wisdom_exchange {

using namespace spokelab;
using namespace spokelab::wisdomtest;

class TestWisdomExchange : public QObject {
  Q_OBJECT
 private slots:
  void exportedWisdomIsImported();
  void mergingKeepsTheBetterMeasured();
  void aTieIsThatOfMoreRepeats();
  void entriesAreForgottenOneByOne();
  void hostileFilesAreRefused_data();
  void hostileFilesAreRefused();
  void hostileEntriesAreRefused_data();
  void hostileEntriesAreRefused();
  void machinesAreToldApart();
};

void TestWisdomExchange::exportedWisdomIsImported() {
  const QTemporaryDir folder;
  const std::string out = folder.filePath("export.json").toStdString();
  {
    Wisdom w(fileIn(folder));
    w.remember("a", someCandidate(1.5));
    w.remember("b", someCandidate(1.75));
    QCOMPARE(w.exportTo(out), std::size_t(2));
  }
  Wisdom other(folder.filePath("other.json").toStdString());
  other.remember("b", someCandidate(1.25));
  other.remember("c", someCandidate(2));
  const WisdomMerge m = other.import(out, WisdomRule::theirs);
  QCOMPARE(m.added, std::size_t(1));
  QCOMPARE(m.replaced, std::size_t(1));
  QCOMPARE(m.refused, std::size_t(0));
  const Wisdom again(folder.filePath("other.json").toStdString());
  QCOMPARE(again.size(), std::size_t(3));
  QCOMPARE(again.find("b")->options.alpha, 1.75);
  QCOMPARE(again.find("c")->options.alpha, 2.0);
  QCOMPARE(other.import(out, WisdomRule::theirs).kept, std::size_t(2));  // nothing new
  QVERIFY_EXCEPTION_THROWN(other.exportTo("/proc/nowhere/x.json"), Error);
  QVERIFY_EXCEPTION_THROWN(Wisdom("/proc/nowhere/w.json").import(out, WisdomRule::theirs), Error);
}

void TestWisdomExchange::mergingKeepsTheBetterMeasured() {
  const QTemporaryDir folder;
  const auto timed = [](double alpha, double seconds) {
    Candidate c = someCandidate(alpha);
    c.timings.total = seconds;
    return c;
  };
  const std::string theirs = folder.filePath("theirs.json").toStdString();
  Wisdom t(theirs);
  t.remember("slower", timed(1.9, 3));
  t.remember("faster", timed(1.9, 1));
  Wisdom ours(fileIn(folder));
  ours.remember("slower", timed(1.2, 2));
  ours.remember("faster", timed(1.2, 2));
  const WisdomMerge m = ours.import(theirs, WisdomRule::better);
  QCOMPARE(m.replaced, std::size_t(1));
  QCOMPARE(m.kept, std::size_t(1));
  QCOMPARE(ours.find("slower")->options.alpha, 1.2);
  QCOMPARE(ours.find("faster")->options.alpha, 1.9);
}

// A lucky repeat does not replace what was measured well; a plan that is faster beyond doubt does.
void TestWisdomExchange::aTieIsThatOfMoreRepeats() {
  const QTemporaryDir folder;
  const auto measured = [](double alpha, std::vector<double> runs) {
    Candidate c = someCandidate(alpha);
    c.timings.total = quantileOf(runs, 0.5);
    c.seconds = 0;
    c.setPointsSeconds = 0;
    c.repeats = int(runs.size());
    c.runs = std::move(runs);
    return c;
  };
  const std::vector<double> often{1.00, 1.01, 1.02, 0.99, 0.98, 1.03, 0.97, 1.00, 1.01}, lucky{0.975, 0.98},
      surely{0.50, 0.51, 0.49, 0.50, 0.51};
  const std::string theirs = folder.filePath("theirs.json").toStdString();
  Wisdom t(theirs);
  t.remember("lucky", measured(1.9, lucky));
  t.remember("often", measured(1.9, often));
  t.remember("surely", measured(1.9, surely));
  Wisdom ours(fileIn(folder));
  ours.remember("lucky", measured(1.2, often));
  ours.remember("often", measured(1.2, lucky));
  ours.remember("surely", measured(1.2, often));
  const WisdomMerge m = ours.import(theirs, WisdomRule::better);
  QCOMPARE(m.replaced, std::size_t(2));
  QCOMPARE(ours.find("lucky")->options.alpha, 1.2);
  QCOMPARE(ours.find("often")->options.alpha, 1.9);
  QCOMPARE(ours.find("surely")->options.alpha, 1.9);
}

void TestWisdomExchange::entriesAreForgottenOneByOne() {
  const QTemporaryDir folder;
  Wisdom w(fileIn(folder));
  for (const char* key : {"a", "b", "c"}) w.remember(key, someCandidate(1.5));
  const std::vector<std::string> keys{"a", "c", "nobody"};
  QCOMPARE(w.forget(keys), std::size_t(2));
  QVERIFY(!w.find("a") && w.find("b"));
  QCOMPARE(Wisdom(fileIn(folder)).size(), std::size_t(1));
}

void TestWisdomExchange::hostileFilesAreRefused_data() {
  QTest::addColumn<QByteArray>("content");
  QTest::newRow("empty") << QByteArray();
  QTest::newRow("text") << QByteArray("to be or not to be");
  QTest::newRow("zeros") << QByteArray(4096, '\0');
  QTest::newRow("cut off") << QByteArray(
      R"({"format": "spokelab-wisdom", "version": 1, "entries": {"a": {"back)");
  QTest::newRow("array") << QByteArray("[1, 2, 3]");
  QTest::newRow("other") << QByteArray(R"({"format": "something", "version": 1, "entries": {}})");
  QTest::newRow("entries") << QByteArray(R"({"format": "spokelab-wisdom", "version": 1, "entries": 5})");
  QTest::newRow("nested") << QByteArray(100000, '[');
  QTest::newRow("another version") << QByteArray(
      R"({"format": "spokelab-wisdom", "version": 2, "entries": {}})");
  // whole, and nested too deeply to be written again with this stack
  QTest::newRow("deep") << R"({"format": "spokelab-wisdom", "version": 1, "entries": {"a": )" +
                               QByteArray(3000000, '[') + QByteArray(3000000, ']') + "}}";
  QTest::newRow("deep beside the entries")
      << R"({"x": )" + QByteArray(3000000, '[') + QByteArray(3000000, ']') +
             R"(, "format": "spokelab-wisdom", "version": 1, "entries": {}})";
}

// Refused with the reason; known results are kept, in memory and in the file.
void TestWisdomExchange::hostileFilesAreRefused() {
  QFETCH(QByteArray, content);
  const QTemporaryDir folder;
  Wisdom w(fileIn(folder));
  w.remember("a", someCandidate(1.5));
  const std::string before = readDocument(fileIn(folder)),
                    hostile = folder.filePath("hostile.json").toStdString();
  std::ofstream(hostile, std::ios::binary) << content.toStdString();
  QVERIFY_EXCEPTION_THROWN(w.import(hostile, WisdomRule::theirs), Error);
  QVERIFY_EXCEPTION_THROWN(w.import(hostile, WisdomRule::better), Error);
  for (const char* none : {"/nowhere/w.json", "/", "/dev/zero"})
    QVERIFY_EXCEPTION_THROWN(w.import(none, WisdomRule::theirs), Error);
  QCOMPARE(readDocument(fileIn(folder)), before);
  QCOMPARE(w.size(), std::size_t(1));
  QVERIFY(readWisdomFile(hostile).entries.empty());  // as one's own file
}

void TestWisdomExchange::hostileEntriesAreRefused_data() {
  QTest::addColumn<QString>("from");
  QTest::addColumn<QString>("to");
  QTest::newRow("backend") << "\"cpu\""
                           << "\"../../cpu\"";
  QTest::newRow("alpha") << "\"alpha\": 1.5"
                         << "\"alpha\": 1e300";
  QTest::newRow("negative alpha") << "\"alpha\": 1.5"
                                  << "\"alpha\": -1.5";
  QTest::newRow("alpha of a dimension") << "\"alpha\": 1.5"
                                        << "\"axisAlpha\": [1, 1e300, 0], \"alpha\": 1.5";
  QTest::newRow("alpha of two dimensions") << "\"alpha\": 1.5"
                                           << "\"axisAlpha\": [1, 1], \"alpha\": 1.5";
  QTest::newRow("width") << "\"width\": 5.25"
                         << "\"width\": 4000";
  QTest::newRow("threads") << "\"threads\": 0"
                           << "\"threads\": 2000000000";
  QTest::newRow("partitions") << "\"partitions\": 0"
                              << "\"partitions\": -7";
  QTest::newRow("bins") << "\"memory\": 123456789012"
                        << "\"memory\": -1";
  QTest::newRow("time") << "\"total\": 0.25"
                        << "\"total\": -0.25";
  QTest::newRow("endless time") << "\"total\": 0.25"
                                << "\"total\": 1e999";
  QTest::newRow("scheduler") << "\"scheduler\": \"auto\""
                             << "\"scheduler\": \"fifo\"";
  QTest::newRow("parts") << "\"schedulerOff\": \"\""
                         << "\"schedulerOff\": \",,\"";
  QTest::newRow("type") << "\"threads\": 0"
                        << "\"threads\": \"0\"";
  QTest::newRow("missing") << "\"grid\""
                           << "\"grit\"";
}

void TestWisdomExchange::hostileEntriesAreRefused() {
  QFETCH(QString, from);
  QFETCH(QString, to);
  const QTemporaryDir folder;
  const std::string hostile = folder.filePath("hostile.json").toStdString();
  {
    Wisdom w(hostile);
    w.remember("a", someCandidate(1.5));
  }
  QString text = QString::fromStdString(readDocument(hostile));
  QVERIFY2(text.contains(from), qPrintable(text));
  writeFileAtomically(hostile, text.replace(text.indexOf(from), from.size(), to).toStdString());
  Wisdom w(fileIn(folder));
  w.remember("b", someCandidate(1.5));
  try {
    const WisdomMerge m = w.import(hostile, WisdomRule::theirs);
    QCOMPARE(m.refused, std::size_t(1));
    QCOMPARE(m.added, std::size_t(0));
  } catch (const Error&) {  // a number that JSON cannot hold: the file as a whole is damaged
  }
  QVERIFY(!w.find("a") && w.find("b"));
  QVERIFY(!Wisdom(hostile).find("a"));
}

void TestWisdomExchange::machinesAreToldApart() {
  const auto cpu = makeCpuBackend();
  NufftBackend* const backends[] = {cpu.get()};
  const std::vector<double> points(200, 0.1);
  TuneRequest request;
  request.problem.dims = 2;
  request.problem.size = {64, 48, 1};
  request.points = points;
  const std::string key = Wisdom::key(backends, request);
  std::string foreign = key;
  const std::string mine = cpu->fingerprint().substr(0, 3);
  const std::size_t at = foreign.find("cpu: " + mine);
  QVERIFY(at != std::string::npos);
  foreign.replace(at + 5, 3, "???");
  const QTemporaryDir folder;
  Wisdom w(fileIn(folder));
  w.remember(key, someCandidate(1.5));
  w.remember(foreign, someCandidate(1.5));
  w.remember("no key of ours", someCandidate(1.5));
  int here = 0, known = 0;
  for (const WisdomLine& line : w.list(Wisdom::fingerprintsOf(backends))) {
    here += line.here;
    known += line.problem.find("2-D 64 x 48") != std::string::npos;
    QVERIFY(line.seconds > 0 && !line.plan.empty());
  }
  QCOMPARE(here, 1);
  QCOMPARE(known, 2);
}

SPOKELAB_TEST(TestWisdomExchange)

}  // namespace test_wisdom_exchange

#include "test_wisdom_exchange.moc"
