// The child's side of acquisition_file.h.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "engine/core/child/child_arguments.h"
#include "engine/scan/formats/acquisitions/acquisition.h"

namespace spokelab {

// Followed by `count` indices (std::int64_t, ascending).
struct AcquisitionRequest {
  std::uint32_t member = 0;  // AcquisitionMember
  std::uint64_t count = 0;
};

// The position of an `ignored` message whose text names a link to another file.
inline constexpr std::uint64_t linkedElsewhere = 1;
// The position of an `ignored` message that holds the bytes of those files (std::uint64_t).
inline constexpr std::uint64_t linkedSize = 3;

// The positions of `ignored` messages that hold PlainNumbers, of samples and of coordinates:
// `between`, then the offsets, each a std::uint64_t.
inline constexpr std::uint64_t plainSamples = 4, plainCoordinates = 5;

// In front of an array's values (cfloat): a message of kind `array`.
struct ArrayFrame {
  static constexpr std::size_t maxAxes = 8, maxNameLength = 64;
  std::array<char, maxNameLength> name{};
  std::uint32_t complex = 0, axes = 0;
  std::array<std::int64_t, maxAxes> shape{};
};

// Memory that parent and child share, a file without a name. The child reads values into a slot and
// sends the slot's number (SharedFrame); the parent takes the values and gives the slot back.
class SharedSlots {
 public:
  static constexpr std::uint32_t count = 3;
  static constexpr std::size_t bytes = std::size_t{6} << 20;  // of one: a few ms of reading

  SharedSlots();                   // throws Error
  explicit SharedSlots(int file);  // the child's side of another's file()
  ~SharedSlots();
  SharedSlots(const SharedSlots&) = delete;
  SharedSlots& operator=(const SharedSlots&) = delete;
  std::span<char> slot(std::uint32_t i) const { return {memory_ + i * bytes, bytes}; }
  int file() const { return file_; }

 private:
  void map();

  int file_ = -1;
  char* memory_ = nullptr;
};

// In front of `count` offsets (std::uint64_t) into the slot, one for each acquisition from the
// message's position on: a message of kind `shared`. The parent answers with the slot's number
// (std::uint32_t) when it has taken the values.
struct SharedFrame {
  std::uint32_t slot = 0;
  std::uint64_t count = 0;
};

// The position of an `ignored` message that is a remark for the user.
inline constexpr std::uint64_t wholeSentence = 2;

// Work of a ChildProcess that shares the file of SharedSlots. Arguments: file and group, texts.
// Sends header text, acquisition headers, arrays beside them, and then answers requests until the
// socket closes: a `shared` message for each run of acquisitions, whose position counts in the list
// of the request, or a `values` message for one that no slot can hold; and `done`.
void serveAcquisitions(ChildArguments& arguments, int socket, int shared);
// The same where the headers are known: only answers requests. Arguments: file, group, headers.
void serveMoreAcquisitions(ChildArguments& arguments, int socket, int shared);

}  // namespace spokelab
