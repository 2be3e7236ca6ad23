#include "engine/scan/formats/arrays/mat_variables.h"

#include "engine/core/child/child_process.h"
#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/scan/formats/arrays/child_bytes.h"
#include "engine/scan/formats/arrays/mat_worker.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t maxTextBytes = 1 << 12;
const char* const saveAgain = "Copy the file again, or save it again in MATLAB";

ArrayVariable receiveVariable(ChildProcess& child, const ChildFrame& frame) {
  const bool sound = frame.kind == ChildMessage::array;
  const std::uint64_t before = sound ? sizeof(MatFrame) : 0;
  if (frame.position > maxTextBytes || frame.bytes > before + 2 * maxTextBytes ||
      frame.bytes < before + frame.position)
    child.fail(unknownMessage);
  ArrayVariable variable;
  if (sound) {
    MatFrame head;
    child.receive(&head, sizeof head, Progress());
    if (head.axes > MatFrame::maxAxes) child.fail(unknownMessage);
    variable.header.type = head.type;
    variable.header.shape.assign(head.shape.begin(), head.shape.begin() + head.axes);
    variable.header.firstAxisFastest = variable.header.firstAxisInnermost = true;
  }
  variable.name.resize(frame.position);
  child.receive(variable.name.data(), variable.name.size(), Progress());
  variable.unreadable.resize(frame.bytes - before - frame.position);
  child.receive(variable.unreadable.data(), variable.unreadable.size(), Progress());
  return variable;
}

}  // namespace

std::vector<ArrayVariable> matVariables(const fs::path& file) {
  const std::string problem = "Cannot read " + file.string();
  ChildProcess child(problem, saveAgain, limitsToUnpack(file), listMatVariables, argumentsFor(file, ""));
  std::vector<ArrayVariable> all;
  for (;;) {
    const ChildFrame frame = child.next(Progress());
    if (frame.kind == ChildMessage::done) return all;
    const bool known = frame.kind == ChildMessage::array || frame.kind == ChildMessage::ignored;
    if (!known || all.size() > maxVariables + maxArraysInside) child.fail(unknownMessage);
    ArrayVariable variable = receiveVariable(child, frame);
    if (variable.unreadable.empty()) checkShape(variable.header, problem);
    all.push_back(std::move(variable));
  }
}

std::unique_ptr<ArrayBytes> openMatVariable(const fs::path& file, const ArrayVariable& variable) {
  // The library holds a whole variable while its numbers are handed over.
  requireMemory(double(variable.header.bytes()), "Cannot read " + file.string(),
                "its variable " + variable.name, "Use a machine with more memory, or save it as .npy");
  return std::make_unique<ChildBytes>(file, variable.name, saveAgain, sendMatVariable);
}

}  // namespace spokelab
