// Counts turns of phrase that a newcomer has to read twice, in comments, messages and pages
// (resources/developer/style.md).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

// A line of prose and its place, "engine/core/array.h:12".
struct ProseLine {
  std::string place, text;
};

// Comments of the sources, without the slashes.
std::vector<ProseLine> commentsOf(const std::vector<Source>& sources);
// Lines that hold a comment and nothing else, as they are.
std::vector<ProseLine> commentLinesOf(const std::vector<Source>& sources);
// String literals of three words and more: messages and help texts.
std::vector<ProseLine> messagesOf(const std::vector<Source>& sources);
// Paragraphs, lists and tables of the Markdown pages below a folder, without code.
std::vector<ProseLine> pagesOf(const std::filesystem::path& folder);
// All lines of these pages as they are, but for rows of tables, which Markdown cannot break.
std::vector<ProseLine> pageLinesOf(const std::filesystem::path& folder);

// One message for each turn that has more lines than its bound allows in 1,000; it names the first
// few lines. `name` says which prose it is.
std::vector<std::string> checkWords(const std::string& name, const std::vector<ProseLine>& lines);
// One message for each line of prose longer than `maxColumns` characters (UTF-8).
std::vector<std::string> checkColumns(const std::vector<ProseLine>& lines, std::size_t maxColumns);

// One message for each `throw Error(...)` whose last part, the remedy, is an empty text.
std::vector<std::string> checkRemedies(const std::vector<Source>& sources);

}  // namespace spokelab::structure
