// The window's colours, dark, light or with high contrast, and its icons, which follow them.
#pragma once

#include <QIcon>
#include <QString>

#include "widgets/core/screen_theme.h"

class QApplication;

namespace spokelab {

void applyTheme(QApplication& application, ScreenTheme theme = ScreenTheme::dark);
// The same while windows are open, in the events that follow, each of them short (restyle.h).
void changeTheme(QApplication& application, ScreenTheme theme);
// Light or dark, as the desktop was before the first applyTheme().
ScreenTheme desktopTheme();

QIcon icon(const QString& name);

}  // namespace spokelab
