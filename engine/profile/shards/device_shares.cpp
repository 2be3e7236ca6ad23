#include "engine/profile/shards/device_shares.h"

#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/jobs/thread_ranks.h"
#include "engine/core/measure/trace.h"
#include "engine/profile/results/provenance.h"
#include "engine/profile/results/record_file.h"
#include "engine/profile/suite/suite_claims.h"
#include "engine/recon/ranks/device_team.h"

namespace spokelab {
namespace {

using nlohmann::json;

std::vector<Backend*> devicesOfShares(const std::vector<DeviceShare>& shares) {
  std::vector<Backend*> devices;
  for (const DeviceShare& share : shares) devices.push_back(share.backends.front());
  return devices;
}

}  // namespace

std::vector<DeviceShare> deviceShares(const std::vector<Backend*>& backends, const std::string& backend,
                                      const std::string& devices, const Shard& given) {
  const std::vector<Backend*> first = backendsFor(backends, backend, devices);
  std::vector<Backend*> gpus;
  for (const Backend* kind : first)
    if (auto named = devicesOf(*backendNamed(backends, kind->name()), devices); named.size() > 1)
      gpus = std::move(named);
  if (gpus.empty()) return {{given, first}};
  const auto refuse = [&](const char* why, const char* remedy) {
    throw Error("Cannot time cases on devices = " + devices, why, remedy);
  };
  if (first.size() > 1)
    refuse("plans of other backends would be timed beside each other", "Name the GPUs alone: --backend cuda");
  if (!given.isAll())
    refuse("the job is a share already", "Give each task of the array one GPU (--devices 0)");
  std::vector<DeviceShare> shares;
  for (std::size_t d = 0; d < gpus.size(); ++d) shares.push_back({{int(d) + 1, int(gpus.size())}, {gpus[d]}});
  return shares;
}

MergedShards runDeviceShares(const std::vector<DeviceShare>& shares, const std::string& commandLine,
                             const Progress& progress,
                             const std::function<json(const DeviceShare&, const Progress&)>& run) {
  const std::vector<Backend*> devices = devicesOfShares(shares);
  const std::vector<std::string> names = namesOfDevices(devices);
  std::vector<ShardDocument> documents(shares.size());
  nameTracks(devices);
  TraceRecorder* const trace = activeTrace();
  runOnThreadRanks(
      names,
      [&](Ranks& ranks, const Progress& rankProgress) {
        std::optional<SpanScope> traced;  // the first rank is the caller's thread
        if (!ranks.isFirst()) traced.emplace(trace, rankTrack + ranks.rank());
        const auto i = std::size_t(ranks.rank());
        json document = {{"provenance", provenance(commandLine)}};
        document["provenance"]["device"] = names[i];
        document.update(run(shares[i], rankProgress));
        documents[i] = {names[i], std::move(document)};
      },
      progress);
  return mergeShards(documents);
}

SuiteResult runSuiteOnDevices(const std::vector<DeviceShare>& shares, const Suite& suite,
                              const std::filesystem::path& folder, bool again, const std::string& commandLine,
                              const Progress& progress) {
  std::vector<SuiteResult> results(shares.size());
  const auto written = [&](const DeviceShare& share, const char* name) {
    return folder / shardFile(name, share.shard);
  };
  const MergedShards merged = runDeviceShares(
      shares, commandLine, progress, [&](const DeviceShare& share, const Progress& shareProgress) {
        SuiteResult& result = results[std::size_t(share.shard.index - 1)];
        result = runSuite(suite, folder, share.backends, again, commandLine, shareProgress, {}, share.shard);
        if (result.cancelled) throw Cancelled{};
        json document = parseDocument(readDocument(written(share, "results.json")), "Cannot read the results",
                                      "Run the suite again");
        document.erase("provenance");
        return document;
      });
  const json document = recordOf(commandLine, merged.document);
  writeFileAtomically(folder / "results.json", recordText(document));
  writeFileAtomically(folder / "results.csv", merged.csv);
  SuiteResult joined;
  joined.claims = writeSuitePages(folder, suite.name, document.at("cases"), document.at("provenance"));
  std::error_code ignored;
  for (const DeviceShare& share : shares) {
    for (const char* name : {"results.json", "results.csv"})
      std::filesystem::remove(written(share, name), ignored);
    joined.cases += results[std::size_t(share.shard.index - 1)].cases;
  }
  for (std::size_t i = 0; i < joined.cases; ++i)
    joined.rows.push_back(results[i % shares.size()].rows.at(i / shares.size()));
  return joined;
}

}  // namespace spokelab
