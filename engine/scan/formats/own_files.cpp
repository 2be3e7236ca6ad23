#include "engine/scan/formats/own_files.h"

#include <zlib.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <system_error>
#include <type_traits>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/formats/file_kind.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr std::size_t startBytes = 4096;  // enough to tell a kind
constexpr std::string_view program = "spokelab";

static_assert(startBytes >= maxOwnNpyHeaderBytes);

std::optional<std::string> startOf(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::string start(startBytes, '\0');
  if (!in) return std::nullopt;
  in.read(start.data(), std::streamsize(start.size()));
  start.resize(std::size_t(std::max<std::streamsize>(in.gcount(), 0)));
  return start;
}

bool isDicom(std::string_view start) {
  constexpr std::size_t magicAt = 128;
  return start.size() > magicAt && start.substr(magicAt).starts_with("DICM");
}

bool isNifti(std::string_view start) {
  constexpr std::size_t magicAt = 344, headerBytes = 348;
  if (start.size() < headerBytes) return false;
  const std::string_view magic = start.substr(magicAt, 4);
  return magic == std::string_view("n+1\0", 4) || magic == std::string_view("ni1\0", 4);
}

// The first bytes behind gzip's compression.
std::string unpackedStart(const fs::path& file) {
  const std::unique_ptr<std::remove_pointer_t<gzFile>, int (*)(gzFile)> in(gzopen(file.c_str(), "rb"),
                                                                           gzclose);
  std::string start(startBytes, '\0');
  const int got = in ? gzread(in.get(), start.data(), unsigned(start.size())) : 0;
  start.resize(std::size_t(std::max(got, 0)));
  return start;
}

json documentIn(const fs::path& file) {
  try {
    return parseDocument(readDocument(file), "", "");
  } catch (const Error&) {
    return {};
  }
}

bool isImageDescription(const json& j) {
  return j.is_object() && j.contains("spokelab-image");
}

// An array beside an image's description with its shape: from before headers had a mark.
bool isDescribedImage(const fs::path& file, std::string_view start) {
  try {
    const ArrayHeader header = parseNpyHeader(start, "");
    const json j = documentIn(file.string() + ".json");
    if (!isImageDescription(j) || header.shape.size() != 4 || header.firstAxisInnermost) return false;
    const json& matrix = j.at("matrix");
    return matrix.at(0) == header.shape[3] && matrix.at(1) == header.shape[2];
  } catch (const Error&) {
    return false;
  } catch (const json::exception&) {
    return false;
  }
}

// The text of a .hdr: sizes, then who wrote them. The data beside it have the size that it says.
bool isOwnPair(const fs::path& text, const fs::path& data, bool dataToo) {
  const std::string header = startOf(text).value_or("");
  const std::size_t creator = header.find("# Creator");
  if (!header.starts_with("# Dimensions") || creator == std::string::npos ||
      lowerCase(header).find(program, creator) == std::string::npos)
    return false;
  if (!dataToo) return true;
  std::error_code failed;
  try {
    return std::uintmax_t(parseCflHeader(header, "").bytes()) == fs::file_size(data, failed) && !failed;
  } catch (const Error&) {
    return false;
  }
}

// Long documents need not be read where their beginning tells them.
bool beginsAsOurs(std::string_view start) {
  for (const std::string_view mark : {"\"format\": \"spokelab-", "\"format\":\"spokelab-"})
    if (start.find(mark) != std::string_view::npos &&
        start.find("\"spokelab-scan\"") == std::string_view::npos)
      return true;
  return false;
}

std::string foreignDocument(const fs::path& file) {
  const json j = documentIn(file);
  if (!j.is_object()) return "a text that is not a whole JSON document";
  if (j.contains("spokelab-scan")) return "the description of a scan";
  const auto has = [&](const char* key, bool (json::*is)() const) {
    return j.contains(key) && (j[key].*is)();
  };
  const bool marked = isImageDescription(j) || (j.contains("format") && j["format"].is_string() &&
                                                j["format"].get<std::string>().starts_with("spokelab-"));
  // Documents from before each of them had a format.
  const bool older = (j.contains("provenance") && j["provenance"].is_object() &&
                      j["provenance"].value("program", json()) == "Spokelab") ||
                     has("traceEvents", &json::is_array) || has("study", &json::is_object) ||
                     (has("sweep", &json::is_object) && has("options", &json::is_object)) ||
                     (has("runs", &json::is_array) && j.size() == 1);
  return marked || older ? "" : "a JSON document of another program";
}

// Commas of a line, outside quotes.
std::ptrdiff_t commasIn(std::string_view line) {
  bool quoted = false;
  return std::count_if(line.begin(), line.end(), [&](char c) {
    quoted = quoted != (c == '"');
    return c == ',' && !quoted;
  });
}

// Rows with the same number of commas, as far as whole lines are known.
bool isTable(std::string_view start) {
  std::ptrdiff_t columns = 0;
  for (std::size_t end = start.find('\n'); end != std::string_view::npos; end = start.find('\n')) {
    const std::ptrdiff_t commas = commasIn(start.substr(0, end));
    if (commas == 0 || (columns > 0 && commas != columns)) return false;
    columns = commas;
    start.remove_prefix(end + 1);
  }
  return columns > 0 || commasIn(start) > 0;
}

std::string foreignText(const fs::path& file, std::string_view start) {
  const bool isText = std::all_of(start.begin(), start.end(), [](char c) {
    constexpr unsigned char firstPrintable = 0x20;
    return std::uint8_t(c) >= firstPrintable || c == '\n' || c == '\r' || c == '\t';
  });
  if (!isText) return "numbers or text of a kind that Spokelab does not write";
  const std::string lower = lowerCase(std::string(start));
  const bool named = lower.find(program) != std::string::npos;
  const std::size_t first = lower.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && lower[first] == '{')
    return beginsAsOurs(start) ? "" : foreignDocument(file);
  const bool isPage = named && lower.starts_with("<!doctype html");
  const bool isDrawing =
      lower.starts_with("<svg") || (lower.starts_with("<?xml") && lower.find("<svg") != std::string::npos);
  const bool isScript = named && lower.starts_with("#!/bin/sh\n#sbatch");
  const bool isSummary = lower.starts_with("# " + std::string(program));
  if (isPage || isDrawing || isScript || isSummary || lower.starts_with(program) || isTable(start)) return {};
  return "a text that Spokelab did not write";
}

std::string contentsOf(const fs::path& file) {
  const std::optional<std::string> read = startOf(file);
  if (!read) return "what this user may not read";
  const std::string& start = *read;
  if (start.empty() || start.starts_with("\x89PNG\r\n\x1a\n") || isNifti(start) ||
      start.starts_with("ply\n") || start.starts_with("%PDF-"))
    return {};
  if (isDicom(start))
    return start.find("Spokelab") != std::string::npos ? "" : "a DICOM file that Spokelab did not write";
  const std::string extension = lowerCase(file.extension().string());
  if (extension == ".cfl" || extension == ".hdr") {
    fs::path text = file, data = file;
    if (extension == ".cfl") text.replace_extension(".hdr");
    return isOwnPair(text, data, extension == ".cfl") ? "" : "an array that Spokelab did not write";
  }
  if (start.starts_with("\x1f\x8b"))
    return isNifti(unpackedStart(file)) ? "" : "a compressed file of another kind";
  if (start.starts_with("\x93NUMPY"))
    return isOwnNpyHeader(start) || isDescribedImage(file, start) ? ""
                                                                  : "an array that Spokelab did not write";
  constexpr std::size_t stlHeaderBytes = 80;
  if (start.size() > stlHeaderBytes &&
      start.substr(0, stlHeaderBytes).find("; Spokelab; ") != std::string::npos)
    return {};
  if (start.starts_with("MATLAB 5.0")) return kindName(FileKind::mat);
  if (start.starts_with("PK\x03\x04")) return kindName(FileKind::npz);
  return foreignText(file, start);
}

}  // namespace

std::string foreignContents(const fs::path& file) {
  try {
    return contentsOf(file);
  } catch (const std::exception&) {
    return "what cannot be read";
  }
}

}  // namespace spokelab
