// The one format of what is measured and kept: documents of --json, and with a kind the files that
// the program reads again.
//
//   {"format": "spokelab-results", "schema": 1, "kind": "baseline", ...}
//
// Kinds: report, baseline, runs, suite, suite results, suite case, diagnostics. Sessions, and files
// of 0.1, have a format for each kind ("spokelab-session") and "formatVersion". resources/schema
// describes the parts.
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
// The kind of a record of any version; empty: it is another document.
std::string kindOfRecord(const nlohmann::json& document);
// The same of a file, by its first bytes; empty also where it cannot be read.
std::string kindOfRecord(const std::filesystem::path& file);
inline bool isRecord(const nlohmann::json& document, const std::string& kind) {
  return kindOfRecord(document) == kind;
}
// Throws Error(problem) where a newer version of the program wrote it.
void requireKnownVersion(const nlohmann::json& record, const std::string& problem);

// read(document) of a file that is a record of this kind. Throws Error: problem, why, remedy.
void readRecord(const std::filesystem::path& file, const std::string& kind, const std::string& problem,
                const std::string& remedy, const Progress& progress,
                const std::function<void(const nlohmann::json&)>& read);

}  // namespace spokelab
