// The look of the window: dark and neutral, so that images and charts carry the colour.
#pragma once

#include <QIcon>

class QApplication;

namespace spokelab {

void applyTheme(QApplication& application);
QIcon icon(const QString& name);  // resources/icons/NAME.svg

}  // namespace spokelab
