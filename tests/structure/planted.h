// Sources made up for a check, and its messages as one text.
#pragma once

#include <QString>
#include <QStringList>

#include "tests/structure/source_tree.h"

namespace spokelab::structure {

inline Source planted(const std::string& path, const std::vector<std::string>& includes = {}) {
  Source source;
  source.path = path;
  for (const std::string& include : includes) {
    source.lines.push_back("#include \"" + include + "\"");
    source.includes.push_back({int(source.lines.size()), include, true});
  }
  return source;
}

inline QString joined(const std::vector<std::string>& lines) {
  QStringList list;
  for (const std::string& line : lines) list << QString::fromStdString(line);
  return list.join('\n');
}

}  // namespace spokelab::structure
