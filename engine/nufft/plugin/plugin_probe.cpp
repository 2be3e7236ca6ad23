#include "engine/nufft/plugin/plugin_probe.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "engine/core/error.h"
#include "engine/core/stage_timer.h"
#include "engine/core/text.h"
#include "engine/core/thread_pool.h"
#include "engine/nufft/plugin/plugin_code.h"

namespace spokelab {
namespace {

const char* const remedy = "Correct the plug-in, or take it out of the folder of plug-ins";

void describeInChild(ChildArguments& arguments, int socket, int) {
  std::string file, code;
  arguments.take(file);
  arguments.take(code);
  tellPluginStep(socket, "load");
  const PluginCode loaded(code);
  tellPluginStep(socket, "describe");
  const PluginInfo info = loaded.describe(file);
  tellPluginStep(socket, nullptr);
  ChildArguments result;
  for (const std::string& text : {info.name, info.version, info.license, info.summary}) result.put(text);
  result.put(info.dims);
  result.put(info.precisions);
  result.put(info.memories);
  result.put(info.alphas);
  result.put(info.contents);
  tellPluginResult(socket, result);
}

std::vector<char> bodyOf(ChildProcess& child, const ChildFrame& frame, const Progress& progress) {
  std::vector<char> bytes(frame.bytes);
  child.receive(bytes.data(), bytes.size(), progress);
  return bytes;
}

}  // namespace

double pluginSeconds() {
  constexpr double usual = 10, shortest = 0.1, longest = 3600;
  const char* asked = std::getenv("SPOKELAB_PLUGIN_SECONDS");
  const double seconds = asked ? leadingNumber(asked) : usual;
  return seconds > 0 ? std::clamp(seconds, shortest, longest) : usual;
}

void tellPluginStep(int socket, const char* step) {
  FrameSender sender(socket);
  sender.send(ChildMessage::step, 0, step ? step : "", step ? std::strlen(step) : 0);
  sender.flush();
}

void tellPluginResult(int socket, const ChildArguments& result) {
  FrameSender sender(socket);
  sender.send(ChildMessage::values, 0, result.bytes().data(), result.bytes().size());
  sender.flush();
}

ChildArguments runPluginChild(const std::string& summary, const ChildArguments& arguments,
                              ChildProcess::Work work, double seconds, int threads,
                              const Progress& progress) {
  constexpr double stepsTogether = 3;  // times the limit of one step
  // waitAtMost() ends a plug-in that loops in a step; the processor's limit is for missed loops.
  constexpr double computingFactor = 100, minComputingSeconds = 3600;
  const auto cpuSeconds = std::uint64_t(std::max(minComputingSeconds, computingFactor * seconds) *
                                        double(threads > 0 ? threads : hardwareThreads()));
  ChildProcess child(summary, remedy, cpuSeconds, work, arguments);
  // The child's last told step (tellPluginStep). Empty: no code of the plug-in runs, no limit.
  std::string step = "load";
  double spent = 0, since = now();  // seconds in steps of the plug-in; when `step` began
  const auto where = [&] { return step.empty() ? std::string() : " in the step '" + step + "'"; };
  try {
    child.waitAtMost(seconds);
    for (;;) {
      const ChildFrame frame = child.next(progress);
      std::vector<char> body = bodyOf(child, frame, progress);
      if (frame.kind == ChildMessage::values) return ChildArguments(std::move(body));
      if (!step.empty()) spent += now() - since;
      since = now();
      step.assign(body.begin(), body.end());
      if (spent > stepsTogether * seconds)
        throw Error(summary,
                    "its steps took longer than " + secondsText(stepsTogether * seconds) + " together",
                    remedy);
      child.waitAtMost(step.empty() ? 0 : seconds);  // 0: no limit
    }
  } catch (const ChildLate&) {
    throw Error(summary, "it did not answer within " + secondsText(seconds) + where(), remedy);
  } catch (const ChildDied& died) {
    throw Error(summary,
                died.signal ? "it crashed" + where() + " (" + strsignal(died.signal) + ")"
                            : "it ended the process" + where(),
                remedy);
  }
}

PluginInfo probePlugin(const std::filesystem::path& file, const std::filesystem::path& code, double seconds,
                       const Progress& progress) {
  ChildArguments arguments;
  arguments.put(file.string());
  arguments.put(code.string());
  ChildArguments description = runPluginChild("Cannot use the plug-in " + file.string(), arguments,
                                              describeInChild, seconds, 1, progress);
  PluginInfo info;
  for (std::string* text : {&info.name, &info.version, &info.license, &info.summary}) description.take(*text);
  description.take(info.dims);
  description.take(info.precisions);
  description.take(info.memories);
  description.take(info.alphas);
  description.take(info.contents);
  info.file = file;
  info.code = code;
  return info;
}

}  // namespace spokelab
