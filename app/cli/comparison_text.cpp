#include "app/cli/comparison_text.h"

#include "app/cli/text.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

constexpr double timeUnit = 1e-3;  // s, of the table

void sayRow(CommandContext& context, const BaselineRow& r) {
  if (!r.note.empty()) {
    context.say(row("not compared", r.name + ": " + r.note));
    return;
  }
  context.say("  " + leftAligned(std::string(verdictName(r.verdict)), 13) + ' ' +
              fixedText(r.before / timeUnit, 3, 11) + ' ' + fixedText(r.after / timeUnit, 3, 11) + "  " +
              fixedText(r.test.ratio, 3, 6) + "  " + fixedText(r.test.low, 3, 6) + " to " +
              leftAligned(fixedText(r.test.high, 3), 6) + "  " + rightAligned(numberText(r.corrected, 2), 9) +
              "  " + r.name + (r.quantity == "execution" ? "" : ", " + r.quantity));
}

}  // namespace

void sayComparison(CommandContext& context, const BaselineComparison& comparison) {
  context.say(comparison.after + " beside " + comparison.before);
  context.say("  verdict         before ms    after ms   ratio  95% interval       p (Holm)  what");
  for (const BaselineRow& r : comparison.rows) sayRow(context, r);
  if (comparison.control.repeatsAfter > 0) sayRow(context, comparison.control);
  for (const std::string& difference : comparison.differences) context.say(row("differs", difference));
}

}  // namespace spokelab::cli
