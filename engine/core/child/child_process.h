// Work in a child process, connected by a socket: libhdf5 crashes or loops on damaged files and
// full disks, and a plug-in wherever it likes; that must cost an Error, never the program. The
// child knows only its arguments and what arrives at its socket, nothing else of this process
// (child_launcher.h says why). It ends with this object.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/core/child/child_arguments.h"
#include "engine/core/error.h"
#include "engine/core/progress.h"

namespace spokelab {

// Kinds of messages. The worker of a format gives header, heads, values, array, ignored, shared and
// step their content (acquisition_worker.h, plugin_probe.h); `done` and `error` end the work. Both
// sides are the same program, so that plain structures go over the socket.
enum class ChildMessage : std::uint32_t { header, heads, values, done, error, array, ignored, shared, step };

// Precedes each message of `bytes` bytes. The sender's worker says what `position` means for its
// kind of message.
struct ChildFrame {
  ChildMessage kind = ChildMessage::done;
  std::uint64_t position = 0, bytes = 0;
};

// Child's side: messages collected into large writes. Call flush() before waiting for an answer.
class FrameSender {
 public:
  explicit FrameSender(int socket) : socket_(socket) {}
  void send(ChildMessage kind, std::uint64_t position, const void* data, std::size_t bytes);
  void flush();

 private:
  int socket_;
  std::vector<char> waiting_;
};

// The child ended without a message.
class ChildDied : public Error {
 public:
  ChildDied(const std::string& summary, const std::string& reason, const std::string& remedy, int signal)
      : Error(summary, reason, remedy), signal(signal) {}
  int signal;  // that killed it; 0: it ended by itself
};

// The child has not sent what was waited for in time.
class ChildLate : public Error {
 public:
  using Error::Error;
};

// The files that a reading child may open: the one that it was given; its folder and all below, for
// formats whose files name others; any file.
enum class ReadReach : std::uint8_t { file, folder, anywhere };

// Limits of a child: time, memory and files.
struct ChildLimits {
  ChildLimits(std::uint64_t cpuSeconds) : cpuSeconds(cpuSeconds) {}  // NOLINT: seconds alone are limits, too
  // The limits of a child that reads a file, confined to `reach` (confine.h). It gets at most half
  // of the free memory, because the parent has to hold the same values. A sanitizer's child has no
  // limit of memory and is not confined: the sanitizer's own library needs more.
  static ChildLimits ofReader(std::uint64_t cpuSeconds, const std::filesystem::path& file, ReadReach reach);

  std::uint64_t cpuSeconds;       // of computing
  std::uint64_t memoryBytes = 0;  // of private memory; 0: as its parent
  std::string readable;           // empty: the child is not confined
  void (*prepare)() = nullptr;    // done first, not confined: loads a module
};

class ChildProcess {
 public:
  // The function that runs in the child. `shared`: the open file given to the constructor, or -1.
  using Work = void (*)(ChildArguments& arguments, int socket, int shared);

  // Runs work() in a child. An exception that leaves it arrives here as an Error. More computing
  // than the limit ends the child. `summary` begins the Errors of this class ("Cannot read x"),
  // `remedy` ends them.
  ChildProcess(std::string summary, std::string remedy, const ChildLimits& limits, Work work,
               const ChildArguments& arguments, int shared = -1);
  ~ChildProcess();
  ChildProcess(const ChildProcess&) = delete;
  ChildProcess& operator=(const ChildProcess&) = delete;

  // Parent's side. From now on, a wait of more than `seconds` throws ChildLate; 0: never.
  void waitAtMost(double seconds);
  // Parent's side. All throw the Error that the child sent before it ended, ChildDied if it sent
  // none, and Cancelled within 50 ms of a request to stop.
  void send(const void* data, std::size_t bytes, const Progress& progress);
  void receive(void* data, std::size_t bytes, const Progress& progress);
  ChildFrame next(const Progress& progress);  // the next message; one of kind error is thrown
  [[noreturn]] void fail(const std::string& reason) const { throw Error(summary_, reason, remedy_); }

  // Child's side. A closed socket ends the child quietly.
  static void sendFrame(int socket, ChildMessage kind, std::uint64_t position, const void* data,
                        std::size_t bytes);
  static void receiveBytes(int socket, void* data, std::size_t bytes);

 private:
  template <class Transfer>
  std::size_t transferSome(short direction, const Transfer& transfer, const Progress& progress);
  [[noreturn]] void failWithItsWords(const Progress& progress);
  [[noreturn]] void died();

  std::string summary_, remedy_;
  std::vector<char> received_;  // [begin_, end_) was received and not asked for yet
  std::size_t begin_ = 0, end_ = 0;
  double waitUntil_ = 0;  // of now(); 0: for ever
  int socket_ = -1;
  pid_t pid_ = -1;
};

}  // namespace spokelab
