#include "app/cli/replay_output.h"

#include "app/cli/text.h"

namespace spokelab::cli {

void sayReplay(CommandContext& context, const ReplayComparison& comparison) {
  context.say("Beside " + comparison.of + ":");
  for (const ReplayRow& r : comparison.rows) {
    const char* verdict = r.reproduced ? "the same" : r.judged ? "DIFFERS" : "may differ";
    context.say(row(verdict, r.quantity + ": " + r.then + " -> " + r.now));
  }
  if (const int differences = comparison.differences(); differences > 0)
    context.fail("The report was not reproduced: " + std::to_string(differences) +
                 (differences == 1 ? " number differs" : " numbers differ"));
}

}  // namespace spokelab::cli
