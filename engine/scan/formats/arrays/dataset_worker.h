// The child's side of hdf5_datasets.h.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/core/child/child_arguments.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

// Precedes a data set's name in a message of kind `array`, or of kind `ignored` for a data set that
// is not an array of numbers; the reason then follows the name. `position` counts the bytes of the
// name.
struct DatasetFrame {
  static constexpr std::size_t maxAxes = 16;
  ElementType type = ElementType::float64;
  std::uint32_t axes = 0;
  std::array<std::int64_t, maxAxes> shape{};
};

// A message of kind `heads`: a name of `position` bytes and the doubles of an attribute or of a
// member of a compound; of kind `xml`: a name and a text.
inline constexpr std::size_t maxDatasetNameBytes = 1 << 10, maxDatasetTextBytes = 16u << 20;
inline constexpr std::size_t maxSmallNumbers = 64, maxDatasets = 1000;

inline constexpr const char* copyDatasetAgain =
    "Copy the file again, or write it again with the program that made it";

// Behind a data set's name: its first or its last axis, of size 2, holds real and imaginary parts.
inline constexpr std::string_view joinedParts = "+i";

// Works of a ChildProcess. Arguments: the file and, for the second, the data set. The first sends
// what the file holds, the second `values` messages with the numbers, last axis fastest; both end
// with `done`.
void listHdf5Datasets(ChildArguments& arguments, int socket, int shared);
void sendHdf5Dataset(ChildArguments& arguments, int socket, int shared);

}  // namespace spokelab
