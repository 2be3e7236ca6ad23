#include "engine/recon/ranks/rank_outline.h"

#include <array>
#include <nlohmann/json.hpp>

#include "engine/recon/ranks/rank_messages.h"
#include "engine/recon/ranks/rank_speed.h"
#include "engine/recon/run/job_machine.h"
#include "engine/scan/read/frame_count.h"

namespace spokelab {
namespace {

using nlohmann::json;

int partsAlong(const JobParts& parts, RankAxis axis) {
  return std::array{parts.frames, parts.slices, parts.coils, parts.slabs}[std::size_t(axis)];
}

// The outline as a message. Its names are those of RankOutline.
json outlineOf(const JobPlan& job, const std::vector<double>& speeds) {
  std::vector<int> frames = job.frames;
  if (job.separatesCoils) frames.resize(1);
  const RankAxis axis = rankAxis(job.parts, speeds);
  return {{"axis", int(axis)},
          {"frames", frames},
          {"slices", job.dims < 3 ? job.slices : std::vector<int>()},
          {"parts", partsAlong(job.parts, axis)},
          {"slabs", job.slabs > 1 ? int(job.slabs) : job.slabsAsked},
          {"allSlices", int(job.slices.size()) == job.slicesHeld},
          {"compresses", job.coils < int(job.coilsKept.size())},
          {"estimatesMaps", job.estimatesMaps},
          {"accuracy", job.options.nufft.accuracy}};
}

}  // namespace

RankProbe agreeOnOutline(Ranks& ranks, Backend& backend, const RankReader& reader,
                         const ReconOptions& options, const Progress& progress) {
  RankProbe probe;
  const std::vector<double> speeds = rankSpeeds(ranks, backend, options.nufft.threads, progress);
  std::string text;
  if (ranks.isFirst()) {
    probe.scan = reader.read(reader.readsParts ? firstFrameAsked(options) : "", "", progress);
    JobPlan job = planJob(*probe.scan, options, machineOfRanks(backend, ranks.size(), options),
                          reader.readsParts ? framesInFile(*probe.scan) : 0);
    text = outlineOf(job, speeds).dump();
    probe.notes = std::move(job.notes);
  }
  broadcastText(ranks, text, progress);
  const json j = rankMessage(text);
  probe.outline = {RankAxis(j.at("axis").get<int>()),
                   j.at("frames").get<std::vector<int>>(),
                   j.at("slices").get<std::vector<int>>(),
                   j.at("parts").get<int>(),
                   j.at("slabs").get<int>(),
                   j.at("allSlices").get<bool>(),
                   j.at("compresses").get<bool>(),
                   j.at("estimatesMaps").get<bool>(),
                   j.at("accuracy").get<double>(),
                   speeds};
  return probe;
}

}  // namespace spokelab
