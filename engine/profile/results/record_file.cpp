#include "engine/profile/results/record_file.h"

#include <fstream>
#include <string_view>

#include "engine/core/document.h"
#include "engine/core/documents/document_head.h"
#include "engine/core/documents/document_numbers.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/profile/results/provenance.h"

namespace spokelab {
namespace {

using nlohmann::json;

constexpr std::string_view ownPrefix = "spokelab-";
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

std::string kindOfRecord(const json& document) {
  const auto text = [&](const char* key) {
    const json value = document.is_object() ? document.value(key, json()) : json();
    return value.is_string() ? value.get<std::string>() : std::string();
  };
  const std::string format = text("format");
  if (format == formatName) return text("kind");
  return format.starts_with(ownPrefix) ? format.substr(ownPrefix.size()) : std::string();
}

std::string kindOfRecord(const std::filesystem::path& file) {
  // Keys are sorted: kind, and the format of 0.1, follow the names of a report's charts.
  constexpr std::size_t maxReadBytes = std::size_t{64} << 10;
  std::error_code failed;
  if (!std::filesystem::is_regular_file(file, failed)) return {};
  std::ifstream in(file, std::ios::binary);
  std::string start(maxReadBytes, '\0');
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(in.gcount()));
  return kindOfRecord(json(textsOfHead(start, {"format", "kind"})));
}

void requireKnownVersion(const json& record, const std::string& problem) {
  for (const char* key : {"formatVersion", "schema"})  // of 0.1; now
    if (countOr(record, key, schema) > schema)
      throw Error(problem, "a newer version of the program wrote it",
                  "Install the newer version, or write the file again with this one");
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
