// A file of raw data from a Siemens scanner (twix, .dat) and its measurements. Two layouts: VB
// holds one measurement from byte 0 on; VD, VE and XA begin with a list of up to 64 measurements,
// of which the last is the image as a rule and the others are adjustments. Little-endian. Nobody
// publishes the format; the readers twixtools, mapVBVD and siemens_to_ismrmrd agree on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace spokelab {

enum class TwixLayout { vb, vd };  // vd: also VE and XA

struct TwixMeasurement {
  std::uint64_t offset = 0, bytes = 0;  // in the file: header, then lines
  std::uint32_t id = 0;
  std::string protocol;  // printable; "" in VB's layout, whose list has no names
};

struct TwixTable {
  TwixLayout layout = TwixLayout::vd;
  std::vector<TwixMeasurement> measurements;  // in the order of the file
};

// Recognises a file by its first bytes; false if it cannot be read.
bool isTwix(const std::filesystem::path& file);

inline constexpr const char* copyTwixAgain = "Copy the file again, or export it again from the scanner";

// The list of measurements. Throws Error where it contradicts the file's size.
TwixTable readTwixTable(const std::filesystem::path& file);

// Control characters and bytes beyond ASCII become '?': messages and headers can hold the text.
std::string printable(std::string_view bytes);

}  // namespace spokelab
