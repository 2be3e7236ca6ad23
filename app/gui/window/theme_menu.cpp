#include "app/gui/window/theme_menu.h"

#include <QActionGroup>
#include <QApplication>
#include <QMenu>
#include <QSettings>

#include <utility>

#include "app/gui/window/theme.h"
#include "widgets/core/colour_map.h"

namespace spokelab {
namespace {

const QString themeKey = QStringLiteral("window/theme"), mapsKey = QStringLiteral("window/mapColours"),
              phaseKey = QStringLiteral("window/phaseWithoutRedAndGreen");
const QString usualTheme = QStringLiteral("dark");

QString themeName() {
  switch (screenTheme()) {
    case ScreenTheme::light:
      return QStringLiteral("light");
    case ScreenTheme::highContrast:
      return QStringLiteral("high-contrast");
    case ScreenTheme::dark:
      break;
  }
  return usualTheme;
}

// One entry of a menu whose entries exclude each other.
QAction* addChoice(QMenu& menu, QActionGroup& group, const QString& text, const QString& name, bool chosen) {
  QAction* action = menu.addAction(text);
  action->setObjectName(name);
  action->setCheckable(true);
  action->setChecked(chosen);
  group.addAction(action);
  return action;
}

}  // namespace

std::optional<ScreenTheme> themeNamed(const QString& name) {
  if (name == QStringLiteral("system")) return desktopTheme();
  if (name == QStringLiteral("dark")) return ScreenTheme::dark;
  if (name == QStringLiteral("light")) return ScreenTheme::light;
  if (name == QStringLiteral("high-contrast")) return ScreenTheme::highContrast;
  return {};
}

void applyKeptTheme() {
  const QSettings settings;
  applyTheme(*qApp, themeNamed(settings.value(themeKey, usualTheme).toString()).value_or(ScreenTheme::dark));
  setMapColours(settings.value(mapsKey).toString());
  setPhaseAvoidsRedAndGreen(settings.value(phaseKey, false).toBool());
}

void addThemeMenus(QMenu& view, bool remember, QObject* owner) {
  QMenu* themes = view.addMenu(QMenu::tr("&Theme"));
  auto* themeGroup = new QActionGroup(owner);
  const QString kept = remember ? QSettings().value(themeKey).toString() : QString();
  const QString chosen = kept == QStringLiteral("system") ? kept : themeName();
  const std::pair<QString, QString> choices[] = {
      {QStringLiteral("system"), QMenu::tr("&System (follow the desktop)")},
      {QStringLiteral("dark"), QMenu::tr("&Dark")},
      {QStringLiteral("light"), QMenu::tr("&Light")},
      {QStringLiteral("high-contrast"), QMenu::tr("&High contrast")}};
  for (const auto& [name, text] : choices) {
    QAction* action = addChoice(*themes, *themeGroup, text, QStringLiteral("theme-") + name, name == chosen);
    QObject::connect(action, &QAction::triggered, owner, [name = name, remember] {
      changeTheme(*qApp, *themeNamed(name));
      if (remember) QSettings().setValue(themeKey, name);
    });
  }
  QMenu* maps = view.addMenu(QMenu::tr("C&olours of maps and charts"));
  auto* mapGroup = new QActionGroup(owner);
  for (const QString& name : ColourMap::sequentialNames()) {
    if (name.startsWith(QStringLiteral("grey"))) continue;  // lines of charts are told apart by colour
    QAction* action = addChoice(*maps, *mapGroup, ColourMap::title(name), QStringLiteral("maps-") + name,
                                name == mapColours());
    QObject::connect(action, &QAction::triggered, owner, [name, remember] {
      setMapColours(name);
      if (remember) QSettings().setValue(mapsKey, name);
    });
  }
  maps->addSeparator();
  QAction* phase = maps->addAction(QMenu::tr("&Phase without red and green"));
  phase->setObjectName(QStringLiteral("maps-phase"));
  phase->setCheckable(true);
  phase->setChecked(phaseAvoidsRedAndGreen());
  QObject::connect(phase, &QAction::toggled, owner, [remember](bool on) {
    setPhaseAvoidsRedAndGreen(on);
    if (remember) QSettings().setValue(phaseKey, on);
  });
}

}  // namespace spokelab
