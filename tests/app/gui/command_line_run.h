// The command line inside of a test of the window, and the JSON that either writes.
#pragma once

#include <QFile>
#include <QStringList>

#include <nlohmann/json.hpp>

#include "app/cli/command_line.h"

namespace spokelab {

// Discarded if the file cannot be read or is not JSON.
inline nlohmann::json parsed(const QString& file) {
  QFile in(file);
  if (!in.open(QIODevice::ReadOnly)) return {};
  return nlohmann::json::parse(in.readAll().toStdString(), nullptr, false);
}

// The exit code.
inline int run(const QStringList& arguments) {
  std::vector<std::string> kept{"spokelab"};
  for (const QString& argument : arguments) kept.push_back(argument.toStdString());
  std::vector<const char*> argv;
  for (const std::string& argument : kept) argv.push_back(argument.c_str());
  return runCommandLine(int(argv.size()), argv.data());
}

}  // namespace spokelab
