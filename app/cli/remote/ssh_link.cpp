#include "app/cli/remote/ssh_link.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

constexpr int pollMs = 100;

// A shell's command line as a child of this process, its output in a pipe.
class Child {
 public:
  explicit Child(const std::string& command) {
    std::array<int, 2> ends{-1, -1};
    if (pipe2(ends.data(), O_CLOEXEC) != 0) refuse(errno);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    std::string shell = "sh", option = "-c", text = command;
    std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    const int failed = posix_spawn(&process_, "/bin/sh", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    output_ = ends[0];
    if (failed != 0) {
      close(output_);
      refuse(failed);
    }
  }
  ~Child() {
    close(output_);
    if (process_ > 0) {  // given up
      kill(process_, SIGTERM);
      waitpid(process_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Its output, line by line, to the end. Throws Cancelled.
  void read(const std::function<void(const std::string&)>& line, const Progress& progress) {
    std::string rest;
    std::array<char, 4096> bytes{};
    while (true) {
      progress.checkpoint();
      pollfd ready{output_, POLLIN, 0};
      if (poll(&ready, 1, pollMs) <= 0) continue;
      const ssize_t count = ::read(output_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) break;
      rest.append(bytes.data(), std::size_t(count));
      for (std::size_t end = rest.find('\n'); end != std::string::npos; end = rest.find('\n')) {
        if (line) line(rest.substr(0, end));
        rest.erase(0, end + 1);
      }
    }
    if (!rest.empty() && line) line(rest);
  }
  int exitCode() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    return WIFEXITED(status) ? WEXITSTATUS(status) : SshLink::lost;
  }

 private:
  [[noreturn]] static void refuse(int error) {
    throw Error("Cannot start ssh", std::strerror(error), "End other programs");
  }

  pid_t process_ = -1;
  int output_ = -1;
};

int runHere(const std::string& command, const std::function<void(const std::string&)>& line,
            const Progress& progress) {
  Child child(command);
  child.read(line, progress);
  return child.exitCode();
}

}  // namespace

SshLink::SshLink(std::string host) : host_(std::move(host)) {
  if (host_.empty() || host_.front() == '-')
    throw Error("Cannot connect to \"" + host_ + '"', "it is no name of a machine",
                "Name it as for ssh: HOST or USER@HOST");
}

std::string SshLink::ssh(const std::string& script) const {
  const char* const named = std::getenv("SPOKELAB_SSH");
  return shellWord(named ? named : "ssh") + " -- " + shellWord(host_) + ' ' + shellWord(script);
}

int SshLink::run(const std::string& script, const std::function<void(const std::string&)>& line,
                 const Progress& progress) const {
  return runHere("exec " + ssh(script) + " </dev/null", line, progress);
}

int SshLink::upload(const std::vector<std::filesystem::path>& files, const std::string& folder,
                    const Progress& progress) const {
  std::string pack = "tar cf - -C /";
  for (const std::filesystem::path& file : files)
    pack += ' ' + shellWord("./" + file.relative_path().string());
  return runHere(pack + " | " + ssh("mkdir -p " + folder + " && tar xf - -C " + folder), {}, progress);
}

int SshLink::download(const std::string& folder, const std::filesystem::path& into,
                      const Progress& progress) const {
  // Of a pipe the shell tells the last part's end: an archive that ends early is none.
  return runHere(ssh("cd " + folder + " && tar cf - .") + " | tar xf - -C " + shellWord(into.string()), {},
                 progress);
}

}  // namespace spokelab::cli
