#include "app/cli/remote/ssh_link.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

constexpr int pollMs = 100;

// A shell command as a child process; its output and its errors arrive by two pipes.
class Child {
 public:
  explicit Child(const std::string& command) {
    std::array<int, 2> output{-1, -1}, errors{-1, -1};
    if (pipe2(output.data(), O_CLOEXEC) != 0) refuse(errno);
    if (pipe2(errors.data(), O_CLOEXEC) != 0) {
      const int failed = errno;
      close(output[0]);
      close(output[1]);
      refuse(failed);
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, output[1], STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, errors[1], STDERR_FILENO);
    std::string shell = "sh", option = "-c", text = command;
    std::array<char*, 4> arguments = {shell.data(), option.data(), text.data(), nullptr};
    const int failed = posix_spawn(&process_, "/bin/sh", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(output[1]);
    close(errors[1]);
    output_ = output[0];
    errors_ = errors[0];
    if (failed != 0) {
      close(output_);
      close(errors_);
      refuse(failed);
    }
  }
  ~Child() {
    close(output_);
    close(errors_);
    if (process_ > 0) {  // abandoned
      kill(process_, SIGTERM);
      waitpid(process_, nullptr, 0);
    }
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;

  // Passes its output on as it arrives, until the end. Throws Cancelled.
  void read(const std::function<void(std::string_view)>& use, const Progress& progress) {
    for (bool printing = true; printing;) {
      progress.checkpoint();
      std::array<pollfd, 2> ready{{{output_, POLLIN, 0}, {errorsOpen_ ? errors_ : -1, POLLIN, 0}}};
      if (poll(ready.data(), ready.size(), pollMs) <= 0) continue;
      if (ready[1].revents != 0) errorsOpen_ = take(errors_, said_);
      if (ready[0].revents == 0) continue;
      std::string printed;
      printing = take(output_, printed);
      if (use) use(printed);
    }
  }
  // Call after read().
  SshEnd end() {
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {
    }
    process_ = -1;
    // A control master that ssh started keeps the pipe open, so read only the bytes present.
    for (pollfd ready{errors_, POLLIN, 0}; errorsOpen_ && poll(&ready, 1, 0) > 0;)
      errorsOpen_ = take(errors_, said_);
    while (said_.ends_with('\n') || said_.ends_with('\r')) said_.pop_back();
    return {WIFEXITED(status) ? WEXITSTATUS(status) : SshLink::lost, said_};
  }

 private:
  [[noreturn]] static void refuse(int error) {
    throw Error("Cannot start ssh", std::strerror(error), "End other programs and try again");
  }

  // Appends the bytes of a pipe to `text`; keeps only the last errors. Returns false at the end.
  bool take(int pipe, std::string& text) const {
    constexpr std::size_t maxSaid = 2000;
    std::array<char, std::size_t{1} << 16> bytes{};
    const ssize_t count = ::read(pipe, bytes.data(), bytes.size());
    if (count < 0) return errno == EINTR;
    text.append(bytes.data(), std::size_t(count));
    if (pipe == errors_ && text.size() > maxSaid) text.erase(0, text.size() - maxSaid);
    return count > 0;
  }

  pid_t process_ = -1;
  int output_ = -1, errors_ = -1;
  bool errorsOpen_ = true;
  std::string said_;
};

SshEnd runHere(const std::string& command, const std::function<void(std::string_view)>& use,
               const Progress& progress) {
  Child child(command);
  child.read(use, progress);
  return child.end();
}

constexpr std::string_view notFound = "exec: ";  // begins a shell's message that ssh is missing

struct Advice {
  std::string_view said, remedy;
};
constexpr std::array<Advice, 7> advices{{
    {"Host key verification failed", "Connect once by hand and look at the key that it shows"},
    {"Permission denied", "Let ssh in without a question: by a key that ssh-agent holds"},
    {"Could not resolve", "Look at the machine's name, and at ~/.ssh/config"},
    {"onnection refused", "See that the machine takes connections by ssh"},
    {"timed out", "See that the machine is on, and that the network reaches it"},
    {"No route to host", "See that the machine is on, and that the network reaches it"},
    {notFound, "Install OpenSSH's client"},
}};

}  // namespace

SshLink::SshLink(std::string host, Questions questions) : host_(std::move(host)), questions_(questions) {
  if (host_.empty() || host_.front() == '-')
    throw Error("Cannot connect to \"" + host_ + '"', "it is no name of a machine",
                "Name it as for ssh: HOST or USER@HOST");
}

std::string SshLink::ssh(const std::string& script) const {
  const char* const named = std::getenv("SPOKELAB_SSH");
  return shellWord(named ? named : "ssh") + (questions_ == Questions::refused ? " -o BatchMode=yes" : "") +
         " -- " + shellWord(host_) + ' ' + shellWord(script);
}

SshEnd SshLink::run(const std::string& script, const std::function<void(const std::string&)>& line,
                    const Progress& progress) const {
  std::string rest;
  SshEnd end = receive(
      script,
      [&](std::string_view printed) {
        rest += printed;
        for (std::size_t at = rest.find('\n'); at != std::string::npos; at = rest.find('\n')) {
          if (line) line(rest.substr(0, at));
          rest.erase(0, at + 1);
        }
      },
      progress);
  if (!rest.empty() && line) line(rest);
  return end;
}

SshEnd SshLink::receive(const std::string& script, const std::function<void(std::string_view)>& take,
                        const Progress& progress) const {
  return runHere("exec " + ssh(script) + " </dev/null", take, progress);
}

SshEnd SshLink::upload(const std::vector<std::filesystem::path>& files, const std::string& script,
                       const Progress& progress) const {
  std::string pack = "tar cf - -C /";
  for (const std::filesystem::path& file : files)
    pack += ' ' + shellWord("./" + file.relative_path().string());
  return runHere(pack + " | " + ssh(script + " && tar xf -"), {}, progress);
}

void SshLink::requireConnected(const SshEnd& end, const std::string& problem) const {
  constexpr int notStarted = 127;  // exit code of the shell
  const bool started = end.code != notStarted || end.said.find(notFound) == std::string::npos;
  if (end.code != lost && started) return;
  const auto known = std::find_if(advices.begin(), advices.end(), [&](const Advice& advice) {
    return end.said.find(advice.said) != std::string::npos;
  });
  const std::string remedy = known == advices.end() ? "" : std::string(known->remedy) + ". ";
  throw Error(
      problem,
      "ssh could not connect, or lost the connection" + (end.said.empty() ? "" : ". It said: " + end.said),
      remedy + "Try: ssh " + shellWord(host_));
}

}  // namespace spokelab::cli
