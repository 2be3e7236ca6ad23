// A file of raw data from a Siemens scanner (twix, .dat) and its measurements. Two layouts: VB holds
// one measurement from byte 0 on; VD, VE and XA begin with a list of up to 64 measurements, of which
// the last is the image as a rule and the others are adjustments. Little-endian. Nobody publishes the
// format; the readers twixtools, mapVBVD and siemens_to_ismrmrd agree on it.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
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

// By its first bytes; false for what cannot be read.
bool isTwix(const std::filesystem::path& file);

// The list of measurements. Throws Error where it contradicts the file's size.
TwixTable readTwixTable(const std::filesystem::path& file);

// Control characters and bytes beyond ASCII become '?', so that messages and headers can hold the text.
std::string printable(std::string_view bytes);

// An open file that is read at places, each in one piece.
class TwixBytes {
 public:
  explicit TwixBytes(std::filesystem::path file);  // throws Error
  ~TwixBytes();
  TwixBytes(const TwixBytes&) = delete;
  TwixBytes& operator=(const TwixBytes&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::uint64_t size() const { return size_; }
  // Fills `out`; throws Error where the file ends before it.
  void read(std::uint64_t at, std::span<char> out) const;
  // The same for several pieces that follow each other in the file.
  void readPieces(std::uint64_t at, std::span<const std::span<char>> pieces) const;
  [[noreturn]] void fail(const std::string& reason) const;

 private:
  std::filesystem::path path_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace spokelab
