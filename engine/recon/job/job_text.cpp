#include "engine/recon/job/job_text.h"

#include "engine/core/memory/memory_check.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/recon/job/job_memory.h"
#include "engine/recon/options/recipe_table.h"

namespace spokelab {
namespace {

// "12 coils, 4 at a time, of 32 measured".
std::string coilsText(const JobPlan& plan) {
  std::string text = countText(plan.coils, "coil");
  if (plan.coilsAtOnce < plan.coils) text += ", " + std::to_string(plan.coilsAtOnce) + " at a time";
  if (plan.coils < plan.coilsMeasured) text += ", of " + std::to_string(plan.coilsMeasured) + " measured";
  if (int(plan.coilsKept.size()) > plan.coils) text += " (compressed)";
  return text;
}

// "6, each 1 frame and 1 slice of 64 x 64".
std::string unknownsText(const JobPlan& plan) {
  std::string text = std::to_string(plan.unknowns()) + (plan.unknowns() == 1 ? ": " : ", each ");
  if (!plan.basis.empty()) text += countText(plan.basis.coefficients, "coefficient") + " for ";
  text += countText(plan.framesPerUnknown, "frame") + (plan.dims < 3 ? " and 1 slice" : "") + " of " +
          sizeText(plan.matrix, plan.dims, " x ");
  return plan.mapSets > 1 ? text + ", " + countText(plan.mapSets, "set") + " of coil maps" : text;
}

std::string partsText(const JobParts& parts) {
  std::string text;
  const auto add = [&text](int count, const char* what) {
    if (count > 1) text += (text.empty() ? "" : ", ") + countText(count, what);
  };
  add(parts.frames, "frame");
  add(parts.slices, "slice");
  add(parts.coils, "coil");
  add(parts.slabs, "slab");
  return text.empty() ? "nothing to divide over devices or ranks"
                      : text + " can be divided over devices or ranks";
}

}  // namespace

std::string memoryText(const JobMemory& memory) {
  return bytesText(memory.host) + " of memory" +
         (memory.device > 0 ? ", " + bytesText(memory.device) + " on the device" : "");
}

std::vector<std::pair<std::string, std::string>> jobRows(const JobPlan& plan) {
  std::vector<std::pair<std::string, std::string>> rows;
  const auto add = [&rows](const char* name, std::string text) { rows.emplace_back(name, std::move(text)); };
  add("recipe", std::string(plan.recipe->words));
  add("unknowns", unknownsText(plan));
  if (!plan.basis.empty()) add("basis", plan.basis.origin);
  const std::string axes = plan.frameAxes.summary();
  add("frames", numberListText(plan.frames) + (axes.empty() ? "" : " (" + axes + ")"));
  if (plan.dims < 3) add("slices", numberListText(plan.slices));
  add("coils", coilsText(plan));
  add("samples",
      std::to_string(plan.samples.front()) + " of each coil and frame, in " + countText(plan.shots, "shot"));
  if (plan.framesAtOnce > 1) add("together", countText(plan.framesAtOnce, "frame") + " at most");
  if (plan.slabs > 1) add("slabs", std::to_string(plan.slabs));
  add("precision",
      std::string(precisionName(plan.options.inDouble() ? Precision::double64 : Precision::single)));
  if (!plan.options.exact) add("transform", workloadText(plan.workload));
  add("division", partsText(plan.parts));
  const double needed = hostBytes(plan);
  if (!fitsIntoMemory(needed))
    add("memory", bytesText(needed) + " of memory and plans: this machine has less, and refuses the job");
  else if (plan.memory.host > 0)
    add("memory", memoryText(plan.memory));
  for (const std::string& note : plan.notes) add("note", note);
  return rows;
}

}  // namespace spokelab
