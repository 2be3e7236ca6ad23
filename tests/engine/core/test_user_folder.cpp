// Where a user's files lie where the environment does not say: never in a folder that all share.
#include <QtTest>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/core/user_folder.h"
#include "tests/test_main.h"

using namespace spokelab;

namespace {

// A user that no list knows.
constexpr uid_t stranger = 54321;

// The result of `found` in a child process that is the stranger, without HOME.
template <class Found>
std::string asStranger(const std::string& runtimeFolder, const Found& found) {
  int ends[2] = {-1, -1};
  if (::pipe(ends) != 0) return "no pipe";
  const pid_t child = ::fork();
  if (child == 0) {
    for (const char* name : {"HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME", "XDG_RUNTIME_DIR"}) ::unsetenv(name);
    if (!runtimeFolder.empty()) ::setenv("XDG_RUNTIME_DIR", runtimeFolder.c_str(), 1);
    std::string said = "cannot become another user";
    if (::setuid(stranger) == 0) said = found().string();
    [[maybe_unused]] const auto written = ::write(ends[1], said.data(), said.size());
    ::_exit(0);
  }
  ::close(ends[1]);
  std::string said(4096, '\0');
  const ssize_t got = ::read(ends[0], said.data(), said.size());
  said.resize(std::size_t(std::max<ssize_t>(got, 0)));
  ::close(ends[0]);
  ::waitpid(child, nullptr, 0);
  return said;
}

}  // namespace

class TestUserFolder : public QObject {
  Q_OBJECT
 private slots:
  void theEnvironmentIsFollowed() {
    qputenv("HOME", "/home/someone");
    qunsetenv("XDG_CACHE_HOME");
    qunsetenv("XDG_DATA_HOME");
    QCOMPARE(userCache().string(), std::string("/home/someone/.cache/spokelab"));
    QCOMPARE(userData().string(), std::string("/home/someone/.local/share/spokelab"));
    qputenv("XDG_CACHE_HOME", "/cache");
    qputenv("XDG_DATA_HOME", "not/absolute");
    QCOMPARE(userCache().string(), std::string("/cache/spokelab"));
    QCOMPARE(userData().string(), std::string("/home/someone/.local/share/spokelab"));
  }

  void withoutHomeNothingIsShared() {
    if (::getuid() != 0) QSKIP("only root can become another user");
    QCOMPARE(asStranger("", userCache), std::string());
    QCOMPARE(asStranger("", userData), std::string());
    QTemporaryDir runtime;
    const std::string folder = runtime.path().toStdString();
    QCOMPARE(asStranger(folder, userCache), std::string());  // of another user
    QCOMPARE(::chown(folder.c_str(), stranger, stranger), 0);
    QCOMPARE(::chmod(folder.c_str(), 0777), 0);
    QCOMPARE(asStranger(folder, userCache), std::string());  // all can write to it
    QCOMPARE(::chmod(folder.c_str(), 0700), 0);
    QCOMPARE(asStranger(folder, userCache), folder + "/.cache/spokelab");
  }
};

SPOKELAB_TEST(TestUserFolder)
#include "test_user_folder.moc"
