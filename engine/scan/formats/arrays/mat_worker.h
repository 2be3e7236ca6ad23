// Reads MATLAB's files in the child process; mat_variables.h, the parent, shares the messages.
#pragma once

#include <array>
#include <cstdint>

#include "engine/core/child/child_arguments.h"
#include "engine/scan/formats/arrays/array_header.h"

namespace spokelab {

// Largest number of arrays inside structures and cells; a variable beyond it counts as unreadable.
inline constexpr std::size_t maxArraysInside = 200;

// Begins the message on one variable. The message has the kind `array`, or `ignored` if the
// variable is not an array of numbers. The variable's name follows the frame, and
// ChildFrame::position is the number of its bytes. The reason follows the name of an ignored
// variable. A structure or cell has no message: the arrays inside it are sent instead
// (mat_inside.h).
struct MatFrame {
  static constexpr std::size_t maxAxes = 32;
  ElementType type = ElementType::float64;
  std::uint32_t axes = 0;
  std::array<std::int64_t, maxAxes> shape{};
};

// Main functions of a ChildProcess (ChildProcess::Work). listMatVariables() takes the
// file and sends a message for each variable. sendMatVariable() takes the file and a variable, and
// sends its numbers in `values` messages, one after the other. Both end with `done`.
void listMatVariables(ChildArguments& arguments, int socket, int shared);
void sendMatVariable(ChildArguments& arguments, int socket, int shared);

}  // namespace spokelab
