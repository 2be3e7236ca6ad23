#include "app/cli/commands/traced_job.h"

#include "app/cli/text.h"
#include "engine/core/atomic_file.h"
#include "engine/core/measure/trace_json.h"

namespace spokelab::cli {

void addTrace(CLI::App& app, std::string& file, const std::string& what) {
  app.add_option(
         "--trace", file,
         "Write " + what + ", to FILE: trace JSON that Perfetto (ui.perfetto.dev) and chrome://tracing open")
      ->type_name("FILE")
      ->group("Output");
}

void TracedJob::write(const std::string& title, const Progress& progress) {
  if (file_.empty()) return;
  const Trace trace = recorder_.take();
  scope_.reset();
  writeFileAtomically(file_, traceToJson(trace, title), progress);
}

void TracedJob::say(CommandContext& context) const {
  if (!file_.empty()) context.say(row("trace", file_));
}

}  // namespace spokelab::cli
