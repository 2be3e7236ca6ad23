// A reading process that a damaged file has taken over can read its file and compute. It opens no
// other file, changes nothing, reaches no other machine and starts nothing.
#include <QtTest>

#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <thread>

#include "engine/core/child/child_process.h"
#include "engine/core/child/confine.h"
#include "tests/test_main.h"

namespace test_confined_reader {

using namespace spokelab;

namespace {

constexpr std::uint64_t cpuSeconds = 5;

// What the planted reader does; its answer is errno, or 0 where the call was served.
enum class Deed : int {
  readIt,
  readNeighbour,
  listFolder,
  readPasswords,
  writeIt,
  makeFile,
  removeIt,
  connect,
  fork,
  run,
  signalParent,
  makeThread,
  allocate
};

int served(long result) {
  return result < 0 ? errno : 0;
}

int attempt(Deed deed, const std::string& file) {
  const std::string neighbour = file + ".neighbour", made = file + ".made";
  char program[] = "/bin/true";
  char* const arguments[] = {program, nullptr};
  switch (deed) {
    case Deed::readIt:
      return served(::open(file.c_str(), O_RDONLY));
    case Deed::readNeighbour:
      return served(::open(neighbour.c_str(), O_RDONLY));
    case Deed::listFolder:
      return served(::open(".", O_RDONLY | O_DIRECTORY));
    case Deed::readPasswords:
      return served(::open("/etc/passwd", O_RDONLY));
    case Deed::writeIt:
      return served(::open(file.c_str(), O_RDWR));
    case Deed::makeFile:
      return served(::open(made.c_str(), O_WRONLY | O_CREAT, 0600));
    case Deed::removeIt:
      return served(::unlink(file.c_str()));
    case Deed::connect:
      return served(::socket(AF_INET, SOCK_STREAM, 0));
    case Deed::fork: {
      const pid_t child = ::fork();
      if (child == 0) ::_exit(0);
      return served(child);
    }
    case Deed::run:
      return served(::execv(program, arguments));
    case Deed::signalParent:
      return served(::kill(::getppid(), 0));
    case Deed::makeThread: {
      int answer = 1;
      std::thread([&] { answer = 0; }).join();
      return answer;
    }
    case Deed::allocate:
      return std::vector<char>(64u << 20, 1).back() == 1 ? 0 : 1;
  }
  return -1;
}

void planted(ChildArguments& arguments, int socket, int) {
  Deed deed{};
  std::string file;
  arguments.take(deed);
  arguments.take(file);
  const int answer = attempt(deed, file);
  FrameSender sender(socket);
  sender.send(ChildMessage::done, std::uint64_t(answer), nullptr, 0);
  sender.flush();
}

int answerOf(Deed deed, const std::string& file, const ChildLimits& limits) {
  ChildArguments arguments;
  arguments.put(deed);
  arguments.put(file);
  ChildProcess child("cannot", "", limits, planted, arguments);
  return int(child.next({}).position);
}

}  // namespace

class TestConfinedReader : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::string file_ = folder_.filePath("scan.h5").toStdString();

 private Q_SLOTS:
  void initTestCase() {
    QVERIFY(folder_.isValid());
    for (const std::string& name : {file_, file_ + ".neighbour"}) std::ofstream(name) << "contents";
    if (ChildLimits::ofReader(cpuSeconds, file_, ReadReach::file).readable.empty())
      QSKIP("readers are not confined under a sanitizer");
  }

  void callsAreServedOrRefused_data() {
    QTest::addColumn<int>("deed");
    QTest::addColumn<int>("reach");
    QTest::addColumn<bool>("served");
    QTest::addColumn<bool>("byCalls");  // refused by seccomp, not by Landlock alone
    const auto row = [](const char* name, Deed deed, ReadReach reach, bool served, bool byCalls = false) {
      QTest::newRow(name) << int(deed) << int(reach) << served << byCalls;
    };
    row("its file", Deed::readIt, ReadReach::file, true);
    row("a neighbour", Deed::readNeighbour, ReadReach::file, false);
    row("a neighbour of a file with links", Deed::readNeighbour, ReadReach::folder, true);
    row("another folder's list", Deed::listFolder, ReadReach::folder, false);
    row("another folder's file", Deed::readPasswords, ReadReach::folder, false);
    row("any file, where the user allows it", Deed::readPasswords, ReadReach::anywhere, true);
    row("writing", Deed::writeIt, ReadReach::anywhere, false);
    row("a new file", Deed::makeFile, ReadReach::anywhere, false);
    row("removal", Deed::removeIt, ReadReach::anywhere, false);
    row("the network", Deed::connect, ReadReach::anywhere, false, true);
    row("a process", Deed::fork, ReadReach::anywhere, false, true);
    row("a program", Deed::run, ReadReach::anywhere, false);
    row("another process", Deed::signalParent, ReadReach::anywhere, false, true);
    row("a thread", Deed::makeThread, ReadReach::file, true);
    row("memory", Deed::allocate, ReadReach::file, true);
  }
  void callsAreServedOrRefused() {
    QFETCH(int, deed);
    QFETCH(int, reach);
    QFETCH(bool, served);
    QFETCH(bool, byCalls);
    if (!served && byCalls && !canConfineCalls()) QSKIP("no seccomp here");
    if (!served && !byCalls && !canConfineFiles()) QSKIP("no Landlock here");
    const int answer =
        answerOf(Deed(deed), file_, ChildLimits::ofReader(cpuSeconds, file_, ReadReach(reach)));
    if (served)
      QCOMPARE(answer, 0);
    else
      QVERIFY2(answer == EACCES || answer == EPERM, strerror(answer));
    QVERIFY(QFile::exists(QString::fromStdString(file_)));
    QVERIFY(!QFile::exists(QString::fromStdString(file_ + ".made")));
  }

  // The planted reader would get what it asks for, were it not confined.
  void withoutTheLimitsTheSameCallsAreServed() {
    for (const Deed deed : {Deed::readNeighbour, Deed::readPasswords, Deed::writeIt, Deed::connect,
                            Deed::fork, Deed::signalParent})
      QCOMPARE(answerOf(deed, file_, cpuSeconds), 0);
  }
};

SPOKELAB_CORE_TEST(TestConfinedReader)

}  // namespace test_confined_reader

#include "test_confined_reader.moc"
