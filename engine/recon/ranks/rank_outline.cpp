#include "engine/recon/ranks/rank_outline.h"

#include <nlohmann/json.hpp>

#include "engine/recon/coil_map_source.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/ranks/rank_messages.h"
#include "engine/recon/ranks/rank_speed.h"
#include "engine/recon/scan_sense.h"
#include "engine/scan/read/frame_count.h"

namespace spokelab {
namespace {

using nlohmann::json;

// The coils of one frame become frames.
bool separatesCoils(const ReconOptions& options) {
  return !iterates(options) && options.combination == Combination::none;
}

json outlineOfScan(const Scan& scan, const ReconOptions& options, const std::vector<double>& speeds) {
  std::vector<int> frames = selection(options.frames, framesInFile(scan), "frames"), slices;
  if (scan.dims() < 3) slices = selection(options.slices, scan.slices, "slices");
  if (separatesCoils(options)) frames.resize(1);
  return {{"axis", int(rankAxis(rankWork(scan, options), speeds))},
          {"frames", frames},
          {"slices", slices},
          {"coils", coilsPrepared(scan, options)},
          {"estimatesMaps", iterates(options) && estimatesMaps(scan, options.iterative)}};
}

}  // namespace

bool iterates(const ReconOptions& options) {
  return options.iterative.method != ReconMethod::gridding;
}

RankWork rankWork(const Scan& scan, const ReconOptions& options) {
  RankWork work;
  work.frames =
      separatesCoils(options) ? 1 : int(selection(options.frames, framesInFile(scan), "frames").size());
  if (scan.dims() < 3) work.slices = int(selection(options.slices, scan.slices, "slices").size());
  const bool together = !iterates(options) && options.combination != Combination::rootSumSquares;
  work.coils = together ? 1 : coilsPrepared(scan, options);
  return work;
}

RankProbe agreeOnOutline(Ranks& ranks, Backend& backend, const RankReader& reader,
                         const ReconOptions& options, const Progress& progress) {
  RankProbe probe;
  const std::vector<double> speeds = rankSpeeds(ranks, backend, options.nufft.threads, progress);
  std::string text;
  if (ranks.isFirst()) {
    const std::string first = options.frames.substr(0, options.frames.find_first_of(",-:"));
    const std::string frame = first.empty() || first == "all" ? "0" : first;
    probe.scan = reader.read(reader.readsParts ? frame : "", "", progress);
    text = outlineOfScan(*probe.scan, options, speeds).dump();
  }
  broadcastText(ranks, text, progress);
  const json j = rankMessage(text);
  probe.outline = {RankAxis(j.at("axis").get<int>()),      j.at("frames").get<std::vector<int>>(),
                   j.at("slices").get<std::vector<int>>(), j.at("coils").get<int>(),
                   j.at("estimatesMaps").get<bool>(),      speeds};
  return probe;
}

}  // namespace spokelab
