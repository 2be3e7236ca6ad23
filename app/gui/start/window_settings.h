// The settings that the window begins with: --set NAME=VALUE of a parameter, as the command
// reconstruct names it, or --set TOPIC=CHOICE of the reader, as every command that reads a scan
// takes it.
#pragma once

#include <QString>
#include <map>
#include <string>

#include "engine/recon/options/options.h"

namespace spokelab {

class MainWindow;

struct WindowSettings {
  ReconOptions options;
  std::map<std::string, std::string> overrides;  // of the reader's decisions

  // `frames` names both: numbers are of the parameter, counters of the reader. Throws Error where
  // the name is of neither, or the value fits none.
  void take(const std::string& setting);
  void open(MainWindow& window, const QString& file) const;
};

}  // namespace spokelab
