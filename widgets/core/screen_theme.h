// The theme of the screen and the colours of its maps: what all views agree on. Views that keep
// colours take them anew when it changes; the others ask while they paint.
#pragma once

#include <QObject>
#include <QString>

namespace spokelab {

enum class ScreenTheme { dark, light, highContrast };

ScreenTheme screenTheme();
void setScreenTheme(ScreenTheme theme);

// The colour map of charts, plan maps and trajectories: a name of ColourMap::sequentialNames().
QString mapColours();
void setMapColours(const QString& name);

// True if ColourMap::phase() is a circle that colour-blind people can read, in place of all hues.
bool phaseAvoidsRedAndGreen();
void setPhaseAvoidsRedAndGreen(bool avoids);

class ScreenThemeNews : public QObject {
  Q_OBJECT

 public:
  static ScreenThemeNews& instance();

 Q_SIGNALS:
  void changed();
};

// Calls `take` after each change of theme or map colours, while `view` exists. Each view is called
// in a separate event: restyling all charts at once takes longer than one event may.
template <class View, class Take>
void followScreenTheme(View* view, Take take) {
  QObject::connect(&ScreenThemeNews::instance(), &ScreenThemeNews::changed, view, take, Qt::QueuedConnection);
}

}  // namespace spokelab
