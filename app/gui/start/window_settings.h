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

  // The name `frames` is both a parameter and a topic: numbers set the parameter, the name of a
  // counter is the reader's choice. Throws Error if the name is neither, or the value does not fit.
  void take(const std::string& setting);
  void open(MainWindow& window, const QString& file) const;
};

}  // namespace spokelab
