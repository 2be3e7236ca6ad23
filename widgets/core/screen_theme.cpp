#include "widgets/core/screen_theme.h"

#include <atomic>

#include "widgets/core/colour_map.h"

namespace spokelab {
namespace {

// These values are atomic because workers that draw read them, too.
std::atomic<ScreenTheme> theme{ScreenTheme::dark};
std::atomic<qsizetype> maps{2};  // lagoon, of ColourMap::sequentialNames()
std::atomic<bool> avoidsRedAndGreen{false};

template <class T>
void change(std::atomic<T>& value, T wanted) {
  if (value.exchange(wanted) != wanted) Q_EMIT ScreenThemeNews::instance().changed();
}

}  // namespace

ScreenThemeNews& ScreenThemeNews::instance() {
  static ScreenThemeNews news;
  return news;
}

ScreenTheme screenTheme() {
  return theme;
}

void setScreenTheme(ScreenTheme wanted) {
  change(theme, wanted);
}

QString mapColours() {
  return ColourMap::sequentialNames().at(maps);
}

void setMapColours(const QString& name) {
  const qsizetype index = ColourMap::sequentialNames().indexOf(name);
  if (index >= 0) change(maps, index);
}

bool phaseAvoidsRedAndGreen() {
  return avoidsRedAndGreen;
}

void setPhaseAvoidsRedAndGreen(bool avoids) {
  change(avoidsRedAndGreen, avoids);
}

}  // namespace spokelab
