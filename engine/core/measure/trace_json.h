// A trace in the JSON that Chrome's tracing and Perfetto (ui.perfetto.dev) open: "Trace Event
// Format", complete events (ph "X") in microseconds since the job's begin, on one track a thread.
#pragma once

#include <string>

#include "engine/core/measure/trace.h"

namespace spokelab {

// "job", "thread 0", "GPU 0", or the name that the trace gives the track.
std::string trackName(const Trace& trace, int track);

// title: of the job, "Reconstruct brain.h5": names the process and the span around all.
std::string traceToJson(const Trace& trace, const std::string& title);

}  // namespace spokelab
