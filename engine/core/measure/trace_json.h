// A trace in the JSON that Chrome's tracing and Perfetto (ui.perfetto.dev) open: "Trace Event Format",
// complete events (ph "X") in microseconds since the job's begin, on one track a thread.
#pragma once

#include <string>

#include "engine/core/measure/trace.h"

namespace spokelab {

std::string trackName(int track);  // "job", "thread 0", "GPU stream"

// title: of the job, "Reconstruct brain.h5"; it is the name of the process and of the span around all.
std::string traceToJson(const Trace& trace, const std::string& title);

}  // namespace spokelab
