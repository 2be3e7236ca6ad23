// A report repeated: the same scan, options and plans on this machine, number beside number. Errors
// and the image have to come out the same; times and machines may differ, and are shown.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engine/profile/report/report.h"
#include "engine/recon/sense/backend.h"

namespace spokelab {

struct Replay {
  std::filesystem::path file;
  std::string scan;         // path, or "demo"
  std::string fingerprint;  // of the scan's file, or empty
  ReadOptions reading;
  std::map<std::string, std::string> simulation;  // options that simulate the scan; empty: a file
  ReconOptions options;
  Candidate plan;     // backend and settled options; backend empty: none was used
  Workload workload;  // that the sweep timed
  std::vector<Candidate> sweep;
  std::vector<ReplayRow> origin;  // version and machine, then and now
};

// Throws Error if the file is not a report of this program, or if a newer version wrote it.
Replay readReplay(const std::filesystem::path& reportJson, const Progress& progress = {});

// The scan of a replay: simulated again, or read from `file`. Throws Error, Cancelled.
std::shared_ptr<const Scan> scanOf(const Replay& replay, const std::string& file, const Progress& progress);

// scan: scanOf(), or read from another place. Reconstructs with the report's plan, times the
// sweep's candidates again and measures their errors where the report did. A backend that is not
// here is replaced by another, and that is said. The result has its comparison; commandLine is left
// to the caller. Throws Error, Cancelled.
Report repeat(const Replay& replay, const std::shared_ptr<const Scan>& scan,
              const std::vector<Backend*>& backends, const Progress& progress);

}  // namespace spokelab
