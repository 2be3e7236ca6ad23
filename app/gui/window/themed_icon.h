// Icons drawn from lines (SVG) in the colour of the theme, whatever it is when they are painted.
// One that is disabled is grey in all its parts.
#pragma once

#include <QColor>
#include <QIcon>
#include <QString>

namespace spokelab {

QIcon themedIcon(const QString& file);
void setIconColour(const QColor& usable, const QColor& disabled);

}  // namespace spokelab
