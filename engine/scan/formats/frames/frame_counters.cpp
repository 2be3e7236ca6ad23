#include "engine/scan/formats/frames/frame_counters.h"

namespace spokelab {

FrameCounter frameCounter(FrameMeaning meaning) {
  using Counters = ISMRMRD::ISMRMRD_EncodingCounters;
  switch (meaning) {
    case FrameMeaning::echo:
      return &Counters::contrast;
    case FrameMeaning::phase:
      return &Counters::phase;
    case FrameMeaning::average:
      return &Counters::average;
    case FrameMeaning::set:
      return &Counters::set;
    case FrameMeaning::segment:
      return &Counters::segment;
    case FrameMeaning::slice:
      return &Counters::slice;
    case FrameMeaning::frame:
    case FrameMeaning::time:
      break;
  }
  return &Counters::repetition;
}

void countFrame(ISMRMRD::ISMRMRD_EncodingCounters& idx, const FrameAxes& axes, int frame) {
  if (axes.empty()) {
    idx.repetition = std::uint16_t(frame);
    return;
  }
  // Axes that share a counter count together, the last one fastest.
  for (std::size_t a = 0; a < axes.axes.size(); ++a) {
    const FrameAxis& axis = axes.axes[a];
    std::uint16_t& counter = idx.*frameCounter(axis.meaning);
    counter = std::uint16_t(counter * axis.size + axes.place(frame, a));
  }
}

}  // namespace spokelab
