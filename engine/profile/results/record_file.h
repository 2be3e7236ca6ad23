// The one format of what is measured and kept: documents of --json, and with a kind the files that
// the program reads again.
//
//   {"format": "spokelab-results", "schema": 1, "kind": "baseline", ...}
//
// Kinds: report, baseline, runs, suite, suite results, suite case, diagnostics. Files of 0.1 have a
// format for each kind, and "formatVersion"; they are read as well. resources/schema describes the
// parts.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include <nlohmann/json.hpp>

#include "engine/core/progress.h"

namespace spokelab {

nlohmann::json recordHead(const std::string& kind = {});
// The same with provenance (provenance.h) and parts.
nlohmann::json recordOf(const std::string& commandLine, const nlohmann::json& parts,
                        const std::string& kind = {});
std::string recordText(const nlohmann::json& record);  // as a file's; what is not UTF-8 is replaced
// True for a record of this kind, of any version.
bool isRecord(const nlohmann::json& document, const std::string& kind);
// Throws Error(problem) where a newer version of the program wrote it.
void requireKnownVersion(const nlohmann::json& record, const std::string& problem);

// read(document) of a file that is a record of this kind. Throws Error: problem, why, remedy.
void readRecord(const std::filesystem::path& file, const std::string& kind, const std::string& problem,
                const std::string& remedy, const Progress& progress,
                const std::function<void(const nlohmann::json&)>& read);

}  // namespace spokelab
