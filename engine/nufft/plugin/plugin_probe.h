// Asks a plug-in in a child process, so that one that crashes or hangs costs an Error.
#pragma once

#include <functional>
#include <string>

#include "engine/core/child/child_process.h"
#include "engine/nufft/plugin/plugin_info.h"

namespace spokelab {

// Seconds that a function of a plug-in may take in a trial: $SPOKELAB_PLUGIN_SECONDS, or 10.
double pluginSeconds();

// Description of a plug-in that `code` serves. Throws Error with the reason of a failure: it
// crashed, did not answer in time, is not a shared object, or is made for another version.
PluginInfo probePlugin(const std::filesystem::path& file, const std::filesystem::path& code, double seconds,
                       const Progress& progress);

// Runs `work` with `arguments` in a child. The child tells the begin and end of each step in which
// the plug-in's code runs (tellPluginStep), and ends with tellPluginResult, whose arguments are
// returned. A step may take `seconds`, all steps together three times as long; the time between
// steps is not limited. threads: of the plug-in, for the limit of computing; <= 0: all. Throws
// Error: "it crashed in the step 'plan' (Aborted)".
ChildArguments runPluginChild(const std::string& summary, const ChildArguments& arguments,
                              ChildProcess::Work work, double seconds, int threads, const Progress& progress);
// Tells the parent which step the child is in; nullptr: the step has ended.
void tellPluginStep(int socket, const char* step);
void tellPluginResult(int socket, const ChildArguments& result);

}  // namespace spokelab
