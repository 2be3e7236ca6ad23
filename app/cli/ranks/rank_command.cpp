#include "app/cli/ranks/rank_command.h"

#include <new>
#include <optional>

#include "app/cli/interrupt.h"
#include "app/cli/program_errors.h"
#include "engine/core/jobs/rank_job.h"

namespace spokelab::cli {
namespace {

// The command on this rank. Throws Error, Cancelled, bad_alloc, other exceptions.
void runHere(Command& command, CommandContext& context) {
  Ranks& ranks = *context.ranks;
  if (ranks.isFirst()) {
    command.declare(context.files);
    requireReplaceable("/dev/stdout", OutputKind::words);
  }
  command.run(context);
  if (ranks.isFirst()) context.finish();
  char written = 1;  // the others wait for it: a failure to write ends them, too
  ranks.broadcast(&written, sizeof written, context.progress);
}

}  // namespace

int runOnRanks(Command& command, const LaunchedRanks& launched, const CommandLineHooks& hooks,
               const std::string& commandLine, Talk talk) {
  const bool first = launched.rank == 0;
  std::unique_ptr<Ranks> ranks;
  try {
    ranks = joinRanks(launched);
  } catch (const Error& error) {
    if (first) printError(hooks.program, error);
    return exitCode::failure;
  }
  Interrupt interrupt;
  RankJob job(
      *ranks, [&interrupt] { interrupt.stop(); }, interrupt.token());
  std::optional<ProgressBar> bar;
  if (first) bar.emplace(talk);
  CommandContext context(hooks, commandLine,
                         Progress(interrupt.token(), first ? bar->report() : Progress::Report{}));
  context.ranks = ranks.get();
  context.quiet = talk == Talk::quiet;
  std::optional<Error> failed;
  try {
    runHere(command, context);
    if (bar) bar->clear();
    if (context.failure().empty()) return exitCode::success;
    if (first) printError(hooks.program, context.failure(), "", "");
    return exitCode::failure;
  } catch (const Cancelled&) {
  } catch (const Error& error) {
    failed = error;
  } catch (const std::bad_alloc&) {
    failed = outOfMemory();
  } catch (const std::exception& error) {
    failed = Error("The command failed", error.what(), remedyFor(error));
  }
  if (bar) bar->clear();
  if (failed) {
    const bool known = job.fail(*failed);
    if (first || !known) printError(hooks.program, *failed);
    return exitCode::failure;
  }
  if (!first) return exitCode::failure;  // rank 0 says why
  if (const std::optional<Error> elsewhere = job.failure()) {
    printError(hooks.program, *elsewhere);
    return exitCode::failure;
  }
  return cancelled(hooks.program, interrupt.signal());
}

}  // namespace spokelab::cli
