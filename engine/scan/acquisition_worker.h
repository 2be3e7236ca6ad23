// The child's side of acquisition_file.h.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>

namespace spokelab {

// Followed by `count` indices (std::int64_t, ascending).
struct AcquisitionRequest {
  std::uint32_t member = 0;  // AcquisitionMember
  std::uint64_t count = 0;
};

// In front of an array's values (cfloat): a message of kind `array`.
struct ArrayFrame {
  static constexpr std::size_t mostAxes = 8, longestName = 64;
  std::array<char, longestName> name{};
  std::uint32_t complex = 0, axes = 0;
  std::array<std::int64_t, mostAxes> shape{};
};

// Sends header text, acquisition headers, arrays beside them, and then what is asked for, until the socket closes: a `values`
// frame for each acquisition, whose position counts in the list of the request, and `done`.
void serveAcquisitions(int socket, const std::filesystem::path& file, const std::string& group);

}  // namespace spokelab
