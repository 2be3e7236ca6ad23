// QCustomPlot's header uses Qt's keyword macros, which we switch off (oneTBB has names like `emit`). Include it
// through here only.
#pragma once

#include <QtCore>
#include <QtGui>
#include <QtPrintSupport>
#include <QtWidgets>

#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit
#define foreach(variable, container) for (variable : container)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
