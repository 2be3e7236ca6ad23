// Wisdom on disk: kept, merged, and neither trusted nor lost if something fails.
#include <QtTest>

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/nufft/tune/wisdom.h"
#include "tests/engine/nufft/tune/wisdom_test.h"
#include "tests/test_main.h"

namespace test_wisdom {

using namespace spokelab;
using namespace spokelab::wisdomtest;

namespace {

// Runs body in a child process; its exit status.
int inChild(const std::function<void()>& body) {
  const pid_t child = fork();
  if (child == 0) {
    body();
    _exit(0);
  }
  return child;
}

}  // namespace

class TestWisdom : public QObject {
  Q_OBJECT
 private slots:
  void remembersAcrossInstances();
  void damagedWisdomIsSetAside_data();
  void damagedWisdomIsSetAside();
  void whatIsNotWisdomStaysAsItIs_data();
  void whatIsNotWisdomStaysAsItIs();
  void foldersAndDevicesAreRefused();
  void anEmptyFileBecomesWisdom();
  void withoutAFileItLastsAsLongAsTheObject();
  void anotherVersionIsNotUsed();
  void anEntryThatIsNoCandidateIsNotUsed();
  void twoProcessesLoseNothing();
  void threadsLoseNothing();
  void aKillLeavesAWholeFile();
  void anUnwritablePlaceIsAWarning();
  void forgetRemovesTheFile();
  void defaultFileFollowsTheEnvironment();
};

void TestWisdom::remembersAcrossInstances() {
  const QTemporaryDir folder;
  const std::string file = folder.filePath("deep/er/wisdom.json").toStdString();
  {
    Wisdom w(file);
    QVERIFY(w.warning().empty() && w.size() == 0);
    QVERIFY(!w.find("a"));
    Candidate c = someCandidate(1.5);
    c.measuredError = 0.1 + 0.2;
    w.remember("a", c);
    w.remember("b", someCandidate(1.75));
    w.remember("b", someCandidate(2));
    QVERIFY2(w.warning().empty(), w.warning().c_str());
  }
  const Wisdom w(file);
  QCOMPARE(w.size(), std::size_t(2));
  const Candidate a = *w.find("a"), expected = someCandidate(1.5);
  QCOMPARE(a.options, expected.options);
  QCOMPARE(a.grid, expected.grid);
  QCOMPARE(a.timings.total, expected.timings.total);
  QCOMPARE(a.timings.seconds, expected.timings.seconds);
  QCOMPARE(a.timings.bytes, expected.timings.bytes);
  QCOMPARE(a.memory, expected.memory);
  QCOMPARE(*a.measuredError, 0.1 + 0.2);
  QCOMPARE(w.find("b")->options.alpha, 2.0);
}

void TestWisdom::damagedWisdomIsSetAside_data() {
  QTest::addColumn<QByteArray>("content");
  QTest::newRow("zeros") << QByteArray(4096, '\0');
  QTest::newRow("cut off") << QByteArray(
      R"({"format": "spokelab-wisdom", "version": 1, "entries": {"a": {"back)");
  QTest::newRow("cut off before its name") << QByteArray("{\n \"entries\": {\n  \"a\": {\"back");
  QTest::newRow("entries") << QByteArray(R"({"format": "spokelab-wisdom", "version": 1, "entries": 5})");
  QTest::newRow("nested") << R"({"format": "spokelab-wisdom", "entries": )" + QByteArray(100000, '[');
}

void TestWisdom::damagedWisdomIsSetAside() {
  QFETCH(QByteArray, content);
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  std::ofstream(file, std::ios::binary) << content.toStdString();
  Wisdom w(file);
  QCOMPARE(w.size(), std::size_t(0));
  QVERIFY(!w.warning().empty());
  QCOMPARE(readDocument(file), content.toStdString());  // not touched by reading
  w.remember("a", someCandidate(1.5));
  QVERIFY(w.warning().find("set aside") != std::string::npos);
  QCOMPARE(readDocument(file + ".aside"), content.toStdString());
  QCOMPARE(Wisdom(file).size(), std::size_t(1));
  QVERIFY(Wisdom(file).warning().empty());
}

void TestWisdom::whatIsNotWisdomStaysAsItIs_data() {
  QTest::addColumn<QByteArray>("content");
  QTest::newRow("text") << QByteArray("to be or not to be");
  QTest::newRow("scan") << QByteArray("\x89HDF\r\n\x1a\n and all that was measured");
  QTest::newRow("array") << QByteArray("[1, 2, 3]");
  QTest::newRow("another document") << QByteArray(R"({"format": "spokelab-report", "version": 1})");
  QTest::newRow("other") << QByteArray(R"({"format": "something", "version": 1, "entries": {}})");
  QTest::newRow("nested") << QByteArray(100000, '[');
}

// Also where it takes the place of wisdom that was read before.
void TestWisdom::whatIsNotWisdomStaysAsItIs() {
  QFETCH(QByteArray, content);
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  Wisdom earlier(file);
  std::ofstream(file, std::ios::binary) << content.toStdString();
  QVERIFY_EXCEPTION_THROWN(Wisdom{file}, Error);
  earlier.remember("a", someCandidate(1.5));
  QVERIFY(earlier.warning().find("not kept") != std::string::npos);
  earlier.forget();
  QCOMPARE(readDocument(file), content.toStdString());
  QVERIFY(!std::filesystem::exists(file + ".aside"));
}

void TestWisdom::foldersAndDevicesAreRefused() {
  const QTemporaryDir folder;
  QVERIFY_EXCEPTION_THROWN(Wisdom{folder.path().toStdString()}, Error);
  for (const char* device : {"/dev/zero", "/dev/null"}) QVERIFY_EXCEPTION_THROWN(Wisdom{device}, Error);
  QVERIFY(std::filesystem::is_directory(folder.path().toStdString()));
}

void TestWisdom::anEmptyFileBecomesWisdom() {
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  std::ofstream(file, std::ios::binary).flush();
  Wisdom w(file);
  w.remember("a", someCandidate(1.5));
  QVERIFY2(w.warning().empty(), w.warning().c_str());
  QCOMPARE(Wisdom(file).size(), std::size_t(1));
}

void TestWisdom::withoutAFileItLastsAsLongAsTheObject() {
  Wisdom w({});
  QVERIFY(w.warning().find("not kept") != std::string::npos);
  w.remember("a", someCandidate(1.5));
  QVERIFY(w.find("a"));
  w.forget();
  QCOMPARE(w.size(), std::size_t(0));
}

void TestWisdom::anotherVersionIsNotUsed() {
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  {
    Wisdom w(file);
    w.remember("a", someCandidate(1.5));
  }
  std::string text = readDocument(file);
  const std::size_t at = text.find("\"version\": 1");
  QVERIFY(at != std::string::npos);
  text.replace(at, 12, "\"version\": 7");
  writeFileAtomically(file, text);
  const Wisdom w(file);
  QVERIFY(!w.find("a"));
  QVERIFY(w.warning().find("version 7") != std::string::npos);
}

void TestWisdom::anEntryThatIsNoCandidateIsNotUsed() {
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  for (const char* entry : {"5", "{}", R"({"backend": "cpu", "options": {"alpha": "two"}})", "null"}) {
    writeFileAtomically(
        file, std::string(R"({"format": "spokelab-wisdom", "version": 1, "entries": {"a": )") + entry + "}}");
    const Wisdom w(file);
    QVERIFY(!w.find("a"));
  }
}

void TestWisdom::twoProcessesLoseNothing() {
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  constexpr int processes = 3, entries = 15;
  std::vector<pid_t> children;
  for (int p = 0; p < processes; ++p)
    children.push_back(inChild([&] {
      Wisdom w(file);
      for (int i = 0; i < entries; ++i) {
        w.remember("process " + std::to_string(p) + " entry " + std::to_string(i),
                   someCandidate(1 + 0.01 * i));
        if (!w.warning().empty()) _exit(1);
      }
    }));
  for (const pid_t child : children) {
    int status = -1;
    QCOMPARE(waitpid(child, &status, 0), child);
    QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  const Wisdom w(file);
  QCOMPARE(w.size(), std::size_t(processes * entries));
  for (int p = 0; p < processes; ++p)
    for (int i = 0; i < entries; ++i)
      QCOMPARE(w.find("process " + std::to_string(p) + " entry " + std::to_string(i))->options.alpha,
               1 + 0.01 * i);
}

void TestWisdom::threadsLoseNothing() {
  const QTemporaryDir folder;
  Wisdom w(fileIn(folder));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 5; ++i) w.remember(std::to_string(10 * t + i), someCandidate(1.5));
    });
  for (std::thread& t : threads) t.join();
  QVERIFY(w.warning().empty());
  QCOMPARE(Wisdom(fileIn(folder)).size(), std::size_t(20));
}

void TestWisdom::aKillLeavesAWholeFile() {
  const QTemporaryDir folder;
  const std::string file = fileIn(folder);
  {
    Wisdom w(file);
    w.remember("kept", someCandidate(1.25));
  }
  for (int round = 0; round < 10; ++round) {
    const pid_t child = inChild([&] {
      Wisdom w(file);
      for (int i = 0;; ++i) w.remember("killed " + std::to_string(i % 50), someCandidate(1.5));
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(5 + 3 * round));
    kill(child, SIGKILL);
    waitpid(child, nullptr, 0);
    Wisdom w(file);
    QVERIFY2(w.warning().empty(), w.warning().c_str());
    QCOMPARE(w.find("kept")->options.alpha, 1.25);
    w.remember("after", someCandidate(1.75));  // the lock died with its holder
    QVERIFY2(w.warning().empty(), w.warning().c_str());
  }
}

void TestWisdom::anUnwritablePlaceIsAWarning() {
  Wisdom w("/proc/nowhere/wisdom.json");
  w.remember("a", someCandidate(1.5));
  QVERIFY(w.warning().find("not kept") != std::string::npos);
  QCOMPARE(w.find("a")->options.alpha, 1.5);  // for this process it still holds
}

void TestWisdom::forgetRemovesTheFile() {
  const QTemporaryDir folder;
  Wisdom w(fileIn(folder));
  w.remember("a", someCandidate(1.5));
  w.forget();
  QVERIFY(!w.find("a") && !std::filesystem::exists(fileIn(folder)));
  w.remember("b", someCandidate(1.5));
  QCOMPARE(Wisdom(fileIn(folder)).size(), std::size_t(1));
}

void TestWisdom::defaultFileFollowsTheEnvironment() {
  qputenv("SPOKELAB_WISDOM", "/some/where.json");
  QCOMPARE(Wisdom::defaultFile().string(), std::string("/some/where.json"));
  qunsetenv("SPOKELAB_WISDOM");
  qputenv("XDG_CACHE_HOME", "/cache");
  QCOMPARE(Wisdom::defaultFile().string(), std::string("/cache/spokelab/wisdom.json"));
  qunsetenv("XDG_CACHE_HOME");
  qputenv("HOME", "/home/someone");
  QCOMPARE(Wisdom::defaultFile().string(), std::string("/home/someone/.cache/spokelab/wisdom.json"));
}

SPOKELAB_TEST(TestWisdom)

}  // namespace test_wisdom

#include "test_wisdom.moc"
