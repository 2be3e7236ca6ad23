#include "engine/profile/results/record_file.h"

#include "engine/core/document.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/profile/results/provenance.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr const char* formatName = "spokelab-results";
constexpr int schema = 1;  // grows where a key changes its name or its type

}  // namespace

json recordHead(const std::string& kind) {
  json head{{"format", formatName}, {"schema", schema}};
  if (!kind.empty()) head["kind"] = kind;
  return head;
}

json recordOf(const std::string& commandLine, const json& parts, const std::string& kind) {
  json record = recordHead(kind);
  record["provenance"] = provenance(commandLine);
  record.update(parts);
  return record;
}

std::string recordText(const json& record) {
  return record.dump(1, ' ', false, json::error_handler_t::replace) + '\n';
}

bool isRecord(const json& document, const std::string& kind) {
  if (!document.is_object()) return false;
  const json format = document.value("format", json());
  return format == "spokelab-" + kind || (format == formatName && document.value("kind", json()) == kind);
}

void requireKnownVersion(const json& record, const std::string& problem) {
  for (const char* key : {"formatVersion", "schema"})  // of 0.1; now
    if (countOr(record, key, schema) > schema)
      throw Error(problem, "a newer version of the program wrote it", "Install that version");
}

void readRecord(const std::filesystem::path& file, const std::string& kind, const std::string& problem,
                const std::string& remedy, const Progress& progress,
                const std::function<void(const json&)>& read) {
  noteInput(file);
  const json record = parseDocument(readDocument(file, progress), problem, remedy);
  if (!isRecord(record, kind)) throw Error(problem, "it is not a " + kind, remedy);
  try {
    requireKnownVersion(record, problem);
    read(record);
  } catch (const json::exception& e) {
    throw Error(problem, std::string("something is missing or of the wrong kind: ") + e.what(), remedy);
  }
}

}  // namespace spokelab
