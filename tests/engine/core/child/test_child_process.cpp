// A child process knows its arguments and nothing else: no lock that a thread of the program held,
// and no thread's end, stops it; how it ends is told as it was.
#include <QtTest>

#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <mutex>
#include <thread>

#include "engine/core/child/child_process.h"
#include "engine/core/memory/machine_memory.h"
#include "tests/test_main.h"

namespace test_child_process {

using namespace spokelab;

namespace {

constexpr std::uint64_t cpuSeconds = 2;
std::mutex heldByAThread;

void echo(ChildArguments& arguments, int socket, int) {
  std::vector<double> values;
  arguments.take(values);
  FrameSender sender(socket);
  sender.send(ChildMessage::values, 7, values.data(), values.size() * sizeof(double));
  sender.flush();
}

void takeTheLock(ChildArguments&, int socket, int) {
  const std::lock_guard lock(heldByAThread);
  FrameSender sender(socket);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

void throwWords(ChildArguments&, int, int) {
  throw Error("summary", "reason", "remedy");
}
void crash(ChildArguments&, int, int) {
  ::raise(SIGSEGV);
}
void loop(ChildArguments&, int, int) {
  for (volatile bool going = true; going;) {
  }
}
void waitForMore(ChildArguments&, int socket, int) {
  const pid_t me = ::getpid();
  FrameSender sender(socket);
  sender.send(ChildMessage::values, 0, &me, sizeof me);
  sender.flush();
  char byte = 0;
  ChildProcess::receiveBytes(socket, &byte, 1);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}
void sayFolder(ChildArguments&, int socket, int) {
  const std::string folder = std::filesystem::current_path();
  FrameSender sender(socket);
  sender.send(ChildMessage::values, 0, folder.data(), folder.size());
  sender.flush();
}
void takeTooMuch(ChildArguments& arguments, int, int) {
  std::vector<double> list;
  arguments.take(list);
}

void takeMemory(ChildArguments&, int socket, int) {
  constexpr std::size_t bytes = std::size_t{512} << 20;
  const std::vector<char> room(bytes, 'x');
  FrameSender sender(socket);
  sender.send(ChildMessage::done, std::uint64_t(room.back()), nullptr, 0);
  sender.flush();
}

QString reasonOf(ChildProcess::Work work, const ChildLimits& limits = cpuSeconds) {
  ChildProcess child("cannot", "remedy", limits, work, {});
  try {
    child.next({});
  } catch (const Error& e) {
    return QString::fromStdString(e.summary() + "|" + e.reason() + "|" + e.remedy());
  }
  return "no error";
}

class TestChildProcess : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void aReadersMemoryIsLimited() {
    const std::uint64_t limit = ChildLimits::ofReader(cpuSeconds, "scan.h5", ReadReach::file).memoryBytes;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    QCOMPARE(limit, 0U);
#else
    const auto machine = std::uint64_t(memoryCapacity());
    QVERIFY(limit >= std::uint64_t{256} << 20 && (limit <= machine / 2 || machine < std::uint64_t{1} << 30));
    ChildLimits small(cpuSeconds);
    small.memoryBytes = std::uint64_t{128} << 20;
    QVERIFY2(reasonOf(takeMemory, small).contains("not enough memory"),
             qPrintable(reasonOf(takeMemory, small)));
    ChildProcess plain("cannot", "remedy", cpuSeconds, takeMemory, {});
    QCOMPARE(plain.next({}).position, std::uint64_t('x'));
#endif
  }

  void argumentsArrive() {
    std::vector<double> values(3'000'000);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = double(i);
    ChildArguments arguments;
    arguments.put(values);
    ChildProcess child("cannot", "", cpuSeconds, echo, arguments);
    const ChildFrame frame = child.next({});
    QCOMPARE(frame.position, std::uint64_t(7));
    QCOMPARE(frame.bytes, values.size() * sizeof(double));
    std::vector<double> back(values.size());
    child.receive(back.data(), frame.bytes, {});
    QCOMPARE(back, values);
  }

  void noLockIsInherited() {
    std::atomic<bool> held = false, end = false;
    std::thread holder([&] {
      const std::lock_guard lock(heldByAThread);
      held = true;
      held.notify_all();
      end.wait(false);
    });
    held.wait(false);
    std::stop_source limit;
    std::thread watch([&] {
      for (int i = 0; i < 100 && !end; ++i) QThread::msleep(50);
      limit.request_stop();
    });
    bool done = false;
    try {
      ChildProcess child("cannot", "", cpuSeconds, takeTheLock, {});
      done = child.next(Progress(limit.get_token())).kind == ChildMessage::done;
    } catch (const Cancelled&) {
      done = false;
    }
    end = true;
    end.notify_all();
    holder.join();
    watch.join();
    QVERIFY2(done, "the child waits for a lock of the program's");
  }

  void itOutlivesTheThreadThatMadeIt() {
    std::unique_ptr<ChildProcess> child;
    std::thread([&] {
      child = std::make_unique<ChildProcess>("cannot", "", cpuSeconds, waitForMore, ChildArguments());
    }).join();
    pid_t pid = 0;
    QCOMPARE(child->next({}).bytes, std::uint64_t(sizeof pid));
    child->receive(&pid, sizeof pid, {});
    const char byte = 1;
    child->send(&byte, 1, {});
    QVERIFY(child->next({}).kind == ChildMessage::done);
    child.reset();
    QVERIFY(::kill(pid, 0) != 0);  // gone, and not a zombie
  }

  void howItEndsIsTold() {
    QCOMPARE(reasonOf(throwWords), "summary|reason|remedy");
    QVERIFY(
        reasonOf(crash).startsWith("cannot|the library for its format failed on it (Segmentation fault)"));
    QVERIFY(reasonOf(loop).startsWith("cannot|the library for its format did not come to an end with it"));
    QVERIFY(reasonOf(takeTooMuch).contains("its arguments are incomplete"));
  }

  // By class: who started it may know better words.
  void deathAndDelayCanBeToldApart() {
    int signal = -1;
    try {
      ChildProcess crashing("cannot", "remedy", cpuSeconds, crash, {});
      crashing.next({});
    } catch (const ChildDied& e) {
      signal = e.signal;
    }
    QCOMPARE(signal, SIGSEGV);
    ChildProcess child("cannot", "remedy", cpuSeconds, waitForMore, {});
    QVERIFY(child.next({}).kind == ChildMessage::values);
    pid_t pid = 0;
    child.receive(&pid, sizeof pid, {});
    child.waitAtMost(0.2);
    QVERIFY_EXCEPTION_THROWN(child.next({}), ChildLate);
    child.waitAtMost(0);
    const char byte = 1;
    child.send(&byte, 1, {});
    QVERIFY(child.next({}).kind == ChildMessage::done);
  }

  // Messages before its end arrive before the end of the connection.
  void wordsReachOneWhoSends() {
    ChildProcess child("cannot", "", cpuSeconds, throwWords, {});
    const std::vector<char> much(1 << 22);
    bool told = false;
    try {
      for (int i = 0; i < 4; ++i) child.send(much.data(), much.size(), {});
    } catch (const Error& e) {
      told = e.reason() == "reason";
    }
    QVERIFY(told);
  }

  // Limits and folder are the program's of now.
  void itGoesWhereTheProgramIs() {
    const QTemporaryDir folder;
    const QString before = QDir::currentPath();
    QVERIFY(QDir::setCurrent(folder.path()));
    ChildProcess child("cannot", "", cpuSeconds, sayFolder, {});
    QVERIFY(QDir::setCurrent(before));
    const ChildFrame frame = child.next({});
    QByteArray said(qsizetype(frame.bytes), '\0');
    child.receive(said.data(), frame.bytes, {});
    QCOMPARE(QString(said), QFileInfo(folder.path()).canonicalFilePath());
  }

  void aCancelUnwinds() {
    ChildProcess child("cannot", "", cpuSeconds, waitForMore, {});
    QVERIFY(child.next({}).kind == ChildMessage::values);
    pid_t pid = 0;
    child.receive(&pid, sizeof pid, {});
    std::stop_source stop;
    stop.request_stop();
    QVERIFY_EXCEPTION_THROWN(child.next(Progress(stop.get_token())), Cancelled);
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestChildProcess)

}  // namespace test_child_process

#include "test_child_process.moc"
