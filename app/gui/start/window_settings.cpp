#include "app/gui/start/window_settings.h"

#include <algorithm>

#include "app/gui/features/scan/scan_feature.h"
#include "app/gui/window/features.h"
#include "app/gui/window/main_window.h"
#include "engine/core/error.h"
#include "engine/scan/read/read_options.h"

namespace spokelab {

void WindowSettings::take(const std::string& setting) {
  const auto at = setting.find('=');
  if (at == std::string::npos || at == 0)
    throw Error("Cannot use --set " + setting, "it is not NAME=VALUE",
                "Write, for example, --set accuracy=1e-3");
  const std::string name = setting.substr(0, at), value = setting.substr(at + 1);
  const auto& parameters = reconOptionTable();
  const auto& topics = decisionTopics();
  const auto parameter =
      std::find_if(parameters.begin(), parameters.end(), [&](const auto& p) { return p.name == name; });
  const auto topic =
      std::find_if(topics.begin(), topics.end(), [&](const auto& t) { return t.topic == name; });
  if (topic == topics.end()) return setOption(options, name, value);
  if (parameter != parameters.end()) try {
      return setOption(options, name, value);
    } catch (const Error& error) {
      if (value.find_first_of("0123456789") != std::string::npos)
        throw Error("Cannot use --set " + setting,
                    "it fits neither the parameter " + name + " (" + parameter->help +
                        ") nor the decision of the reader (" + topic->help + ")",
                    "Write one of the two");
    }
  overrides[name] = value;
}

void WindowSettings::open(MainWindow& window, const QString& file) const {
  if (overrides.empty()) return window.open(file);
  window.features().scan->openWith(file, overrides);
}

}  // namespace spokelab
