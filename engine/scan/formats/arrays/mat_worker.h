// The child's side of mat_variables.h.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/child/child_arguments.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

// Largest number of arrays inside the structures and cells of a file. A variable that would exceed
// it is listed as unreadable.
inline constexpr std::size_t maxArraysInside = 200;

// One message a variable, of kind `array`, or of kind `ignored` if it is not an array of numbers.
// The name follows the frame (`position` counts its bytes), and after it the reason for `ignored`.
// Arrays inside structures and cells replace these (mat_inside.h).
struct MatFrame {
  static constexpr std::size_t maxAxes = 32;
  ElementType type = ElementType::float64;
  std::uint32_t axes = 0;
  std::array<std::int64_t, maxAxes> shape{};
};

// Works of a ChildProcess. Arguments: the file and, for the second, the variable. The first sends
// all variables, the second `values` messages with the numbers one after the other; both end with
// `done`.
void listMatVariables(ChildArguments& arguments, int socket, int shared);
void sendMatVariable(ChildArguments& arguments, int socket, int shared);

}  // namespace spokelab
