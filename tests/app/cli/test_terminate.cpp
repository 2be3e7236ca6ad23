// SIGTERM ends a program within two seconds, whether its work follows the stop request or not.
#include <QtTest>

#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstring>
#include <thread>

#include "app/cli/interrupt.h"
#include "tests/test_main.h"

using namespace spokelab;

namespace {

struct Ending {
  int status = 0;
  double seconds = 0;
};

// work(interrupt) in a process that gets SIGTERM as soon as it has begun.
template <class Work>
Ending terminated(const Work& work) {
  int begun[2];
  if (pipe(begun) != 0) qFatal("no pipe");
  const pid_t child = fork();
  if (child == 0) {
    {
      cli::Interrupt interrupt;
      const char byte = 1;
      [[maybe_unused]] const auto written = write(begun[1], &byte, 1);
      work(interrupt);
    }
    _exit(7);
  }
  char byte = 0;
  [[maybe_unused]] const auto got = read(begun[0], &byte, 1);
  const auto start = std::chrono::steady_clock::now();
  kill(child, SIGTERM);
  Ending ending;
  waitpid(child, &ending.status, 0);
  ending.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  close(begun[0]);
  close(begun[1]);
  return ending;
}

class TestTerminate : public QObject {
  Q_OBJECT
 private Q_SLOTS:
  void initTestCase() {
#ifdef __SANITIZE_THREAD__
    QSKIP("the thread sanitizer does not let a forked process have threads");
#endif
  }

  void workThatFollowsEndsItself() {
    const Ending ending = terminated([](const cli::Interrupt& interrupt) {
      while (!interrupt.token().stop_requested()) std::this_thread::yield();
    });
    QVERIFY(WIFEXITED(ending.status) && WEXITSTATUS(ending.status) == 7);
  }

  // As a call into FFTW, or memory that the system clears.
  void workThatDoesNotFollowIsEnded() {
    const Ending ending = terminated([](const cli::Interrupt&) {
      for (;;) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    });
    QVERIFY(WIFSIGNALED(ending.status) && WTERMSIG(ending.status) == SIGTERM);
    QVERIFY2(ending.seconds < 2.5, qPrintable(QString::number(ending.seconds)));
    QVERIFY(ending.seconds > 1);  // there was time for what follows
  }

  // A grid is written for the first time: the system clears page after page, and nothing looks at
  // the stop request.
  void aLargeGridThatIsClearedIsEnded() {
    const Ending ending = terminated([](const cli::Interrupt&) {
      constexpr std::size_t bytes = std::size_t{256} << 20;
      void* const grid = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
      for (;;) {
        std::memset(grid, 0, bytes);
        madvise(grid, bytes, MADV_DONTNEED);  // so that the memory of a machine is never too small
      }
    });
    QVERIFY(WIFSIGNALED(ending.status) && WTERMSIG(ending.status) == SIGTERM);
    QVERIFY2(ending.seconds < 2.5, qPrintable(QString::number(ending.seconds)));
  }
};

}  // namespace

SPOKELAB_CORE_TEST(TestTerminate)
#include "test_terminate.moc"
