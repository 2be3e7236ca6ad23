// Shared by the children that write a scan or an image through libhdf5, and by their parents.
#pragma once

#include <cstdint>
#include <type_traits>

#include "engine/core/child/child_process.h"

namespace spokelab {

inline constexpr const char* freeSpace = "Free some space or choose another folder";
// Computing time that a writing child may take: a day, as writing does not loop.
inline constexpr std::uint64_t maxWritingCpuSeconds = 24 * 3600;

// The part of a geometry that a child is told; use(value) puts or takes it.
template <class GeometryOrConst, class Use>
void describeGeometry(GeometryOrConst& g, const Use& use) {
  use(g.matrix);
  use(g.fov);
  use(g.readDirection);
  use(g.phaseDirection);
  use(g.sliceDirection);
  use(g.slicePositions);
  use(g.sliceDirections);
  std::size_t frames = g.frames.size();
  use(frames);
  if constexpr (!std::is_const_v<GeometryOrConst>) g.frames.resize(frames);
  for (auto& frame : g.frames) describeGeometry(frame, use);
}

// Child's side: the file is complete.
inline void sayDone(int socket) {
  FrameSender sender(socket);
  sender.send(ChildMessage::done, 0, nullptr, 0);
  sender.flush();
}

// Parent's side, once all is sent. Throws as ChildProcess::next() does.
inline void awaitDone(ChildProcess& child, const Progress& progress) {
  while (child.next(progress).kind != ChildMessage::done) {
  }
}

}  // namespace spokelab
