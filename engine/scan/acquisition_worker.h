// The child's side of acquisition_file.h.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace spokelab {

// Followed by `count` indices (std::int64_t, ascending).
struct AcquisitionRequest {
  std::uint32_t member = 0;  // AcquisitionMember
  std::uint64_t count = 0;
};

// Sends header text, acquisition headers, and then what is asked for, until the socket closes: a `values`
// frame for each acquisition, whose position counts in the list of the request, and `done`.
void serveAcquisitions(int socket, const std::filesystem::path& file, const std::string& group);

}  // namespace spokelab
