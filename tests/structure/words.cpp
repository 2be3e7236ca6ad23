#include "tests/structure/words.h"

#include <algorithm>
#include <fstream>
#include <regex>

namespace spokelab::structure {
namespace {

namespace fs = std::filesystem;

struct Turn {
  const char* name;
  const char* pattern;
  double maxPerThousand;
};

// Bounds are twice the worst of six well-known projects of the field.
const Turn turns[] = {
    {"open without a subject", R"(^(Of|Those|That of|What|Whether|Which|How|Whoever|Nobody)\b)", 7},
    {"say \"that of\", \"those of\", \"the one that\"", R"(\b([Tt]hat|[Tt]hose) of\b|the one that)", 2},
    {"say \"so many\", \"as many\"", R"(\b(so|as) (many|few)\b)", 6},
    {"say \"is no\", \"is none\"", R"(\b(is|are) (no|none)\b)", 8},
    {"say \"of its own\"", R"(of (its|their) own)", 1},
    {"say stands, lies, goes, stays, comes for \"is\"", R"(\b(stands|lies|goes|stays|comes)\b)", 12},
};

// The position of the comment's slashes, outside string literals; npos without a comment.
std::size_t commentAt(const std::string& line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (quoted && line[i] == '\\')
      ++i;
    else if (line[i] == '"' && !(i > 0 && line[i - 1] == '\''))
      quoted = !quoted;
    else if (!quoted && line.compare(i, 2, "//") == 0)
      return i;
  }
  return std::string::npos;
}

std::string trimmed(const std::string& text, const char* what) {
  const std::size_t begin = text.find_first_not_of(what);
  return begin == std::string::npos ? "" : text.substr(begin);
}

std::string placeOf(const std::string& path, std::size_t line) {
  return path + ":" + std::to_string(line + 1);
}

std::size_t columnsOf(const std::string& text) {
  return std::size_t(std::count_if(text.begin(), text.end(),
                                   [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::vector<fs::path> pagesIn(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

}  // namespace

std::vector<ProseLine> commentsOf(const std::vector<Source>& sources) {
  std::vector<ProseLine> prose;
  for (const Source& source : sources)
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::size_t at = commentAt(source.lines[i]);
      if (at == std::string::npos) continue;
      const std::string text = trimmed(source.lines[i].substr(at), "/ ");
      if (!text.starts_with("namespace") && !text.starts_with("NOLINT"))
        prose.push_back({placeOf(source.path, i), text});
    }
  return prose;
}

std::vector<ProseLine> commentLinesOf(const std::vector<Source>& sources) {
  std::vector<ProseLine> lines;
  for (const Source& source : sources)
    for (std::size_t i = 0; i < source.lines.size(); ++i)
      if (trimmed(source.lines[i], " ").starts_with("//"))
        lines.push_back({placeOf(source.path, i), source.lines[i]});
  return lines;
}

std::vector<ProseLine> messagesOf(const std::vector<Source>& sources) {
  static const std::regex literal(R"re("((?:[^"\\]|\\.)*)")re");
  constexpr int minBlanks = 2;
  std::vector<ProseLine> prose;
  for (const Source& source : sources)
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      const std::string code = source.lines[i].substr(0, commentAt(source.lines[i]));
      for (std::sregex_iterator match(code.begin(), code.end(), literal), end; match != end; ++match) {
        const std::string text = (*match)[1];
        if (std::count(text.begin(), text.end(), ' ') >= minBlanks)
          prose.push_back({placeOf(source.path, i), trimmed(text, " ")});
      }
    }
  return prose;
}

std::vector<ProseLine> pagesOf(const fs::path& folder) {
  std::vector<ProseLine> prose;
  for (const fs::path& file : pagesIn(folder)) {
    std::ifstream stream(file);
    bool code = false;
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line); ++number) {
      if (trimmed(line, " ").starts_with("```"))
        code = !code;
      else if (const std::string text = trimmed(line, " -*|#>.0123456789"); !code && !text.empty())
        prose.push_back({placeOf(file.lexically_relative(folder).generic_string(), number), text});
    }
  }
  return prose;
}

std::vector<ProseLine> pageLinesOf(const fs::path& folder) {
  std::vector<ProseLine> lines;
  for (const fs::path& file : pagesIn(folder)) {
    std::ifstream stream(file);
    std::size_t number = 0;
    for (std::string line; std::getline(stream, line); ++number)
      if (!trimmed(line, " ").starts_with('|'))
        lines.push_back({placeOf(file.lexically_relative(folder).generic_string(), number), line});
  }
  return lines;
}

std::vector<std::string> checkWords(const std::string& name, const std::vector<ProseLine>& lines) {
  constexpr std::size_t maxShown = 8;
  constexpr double thousand = 1000;
  std::vector<std::string> messages;
  for (const Turn& turn : turns) {
    const std::regex pattern(turn.pattern);
    std::size_t count = 0;
    std::string places;
    for (const ProseLine& line : lines)
      if (std::regex_search(line.text, pattern) && ++count <= maxShown)
        places += "\n  " + line.place + ": " + line.text;
    if (thousand * double(count) > turn.maxPerThousand * double(lines.size()))
      messages.push_back(std::to_string(count) + " of " + std::to_string(lines.size()) + " lines of " + name +
                         " " + turn.name + " (resources/developer/style.md):" + places);
  }
  return messages;
}

std::vector<std::string> checkColumns(const std::vector<ProseLine>& lines, std::size_t maxColumns) {
  std::vector<std::string> messages;
  for (const ProseLine& line : lines)
    if (columnsOf(line.text) > maxColumns)
      messages.push_back(line.place + " has " + std::to_string(columnsOf(line.text)) + " columns, " +
                         std::to_string(maxColumns) + " at most");
  return messages;
}

std::vector<std::string> checkRemedies(const std::vector<Source>& sources) {
  constexpr std::string_view empty = "\"\");";
  std::vector<std::string> messages;
  for (const Source& source : sources) {
    bool inside = false;
    for (std::size_t i = 0; i < source.lines.size(); ++i) {
      std::string code = source.lines[i].substr(0, commentAt(source.lines[i]));
      code.erase(code.find_last_not_of(' ') + 1);
      inside = inside || code.find("throw Error(") != std::string::npos;
      if (inside && (code.ends_with(", " + std::string(empty)) || trimmed(code, " ") == empty))
        messages.push_back(placeOf(source.path, i) + ": the error does not say what to do");
      inside = inside && !code.ends_with(';');
    }
  }
  return messages;
}

}  // namespace spokelab::structure
