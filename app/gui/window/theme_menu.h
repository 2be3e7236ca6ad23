// View → Theme and View → Colours of maps: chosen by the user and kept.
#pragma once

#include <QObject>
#include <QString>

#include <optional>

#include "widgets/core/screen_theme.h"

class QMenu;

namespace spokelab {

// "system", "dark", "light", "high-contrast"; nothing for another name.
std::optional<ScreenTheme> themeNamed(const QString& name);
// Applies the last chosen theme, before the window is made.
void applyKeptTheme();

// remember: the choice is kept between runs.
void addThemeMenus(QMenu& view, bool remember, QObject* owner);

}  // namespace spokelab
