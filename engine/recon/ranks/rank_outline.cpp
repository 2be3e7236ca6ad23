#include "engine/recon/ranks/rank_outline.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/recon/coil_map_source.h"
#include "engine/recon/job_memory.h"
#include "engine/recon/prepare/coil_preparation.h"
#include "engine/recon/prepare/job_slabs.h"
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

int partsOf(const RankWork& work, RankAxis axis) {
  return std::array{work.frames, work.slices, work.coils, work.slabs}[std::size_t(axis)];
}

// The number of slabs in which `ranks` ranks transform a volume of the scan; one of its frames is
// known.
int slabsNeeded(const Scan& scan, ReconOptions options, Backend& backend, int ranks,
                std::vector<std::string>& notes) {
  if (options.slabs > 0) return options.slabs;
  if (scan.frames < framesInFile(scan)) options.frames = "";
  options = dividedToFit(scan, options, {&backend}, roomToDivide(options), notes);
  return options.slabs > 1 ? occupiedBySlabs(scan, options, ranks).slabs : options.slabs;
}

json outlineOfScan(const Scan& scan, const ReconOptions& options, const std::vector<double>& speeds) {
  std::vector<int> frames = selection(options.frames, framesInFile(scan), "frames"), slices;
  if (scan.dims() < 3) slices = selection(options.slices, scan.slices, "slices");
  if (separatesCoils(options)) frames.resize(1);
  const RankWork work = rankWork(scan, options);
  const RankAxis axis = rankAxis(work, speeds);
  return {{"axis", int(axis)},
          {"frames", frames},
          {"slices", slices},
          {"parts", partsOf(work, axis)},
          {"slabs", options.slabs},
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
  const int coils = coilsPrepared(scan, options);
  work.coils = together ? 1 : coils;
  // Walsh's combination looks across the borders of slabs; sums over them have one order.
  const bool acrossSlabs = !iterates(options) && coils > 1 && options.combination == Combination::adaptive;
  if (!acrossSlabs && !options.nufft.reproducible) work.slabs = int(jobSlabs(scan, options));
  return work;
}

ReconOptions occupiedBySlabs(const Scan& scan, ReconOptions options, int ranks) {
  const RankWork work = rankWork(scan, options);
  if (work.slabs < 2 || std::max({work.frames, work.slices, work.coils}) >= ranks) return options;
  const int wanted = (work.slabs + ranks - 1) / ranks * ranks;
  options.slabs = std::min(wanted, int(scan.geometry.matrix[2]));
  return options;
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
    ReconOptions fitted = options;
    fitted.slabs = slabsNeeded(*probe.scan, options, backend, ranks.size(), probe.notes);
    text = outlineOfScan(*probe.scan, fitted, speeds).dump();
  }
  broadcastText(ranks, text, progress);
  const json j = rankMessage(text);
  probe.outline = {RankAxis(j.at("axis").get<int>()),
                   j.at("frames").get<std::vector<int>>(),
                   j.at("slices").get<std::vector<int>>(),
                   j.at("parts").get<int>(),
                   j.at("slabs").get<int>(),
                   j.at("estimatesMaps").get<bool>(),
                   speeds};
  return probe;
}

}  // namespace spokelab
