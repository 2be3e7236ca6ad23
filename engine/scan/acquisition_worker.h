// The child's side of acquisition_file.h and the messages between the two. Both sides are the same program,
// so that plain structures go over the socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace spokelab {

enum class WorkerMessage : std::uint32_t { xml, heads, values, done, error };

// Followed by `bytes` bytes. values: `position` counts in the list that was asked for.
struct WorkerFrame {
  WorkerMessage kind = WorkerMessage::done;
  std::uint64_t position = 0, bytes = 0;
};

// Followed by `count` indices (std::int64_t, ascending).
struct WorkerRequest {
  std::uint32_t member = 0;  // AcquisitionMember
  std::uint64_t count = 0;
};

// An Error's three texts, separated by this character, are an `error` message.
inline constexpr char workerTextSeparator = '\x1f';

// Reads `file` and serves requests until the socket closes. Runs in the child, under the Hdf5Lock that its parent
// held when it was made; the child then leaves by _exit.
void serveAcquisitions(int socket, const std::filesystem::path& file, const std::string& group);

}  // namespace spokelab
