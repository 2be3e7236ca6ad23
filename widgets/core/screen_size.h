// The size of a separate window: the wanted size, limited by the screen's room without the frame.
#pragma once

#include <QScreen>
#include <QStyle>
#include <QWidget>

namespace spokelab {

inline QSize sizeOnScreen(const QWidget& window, const QSize& wanted) {
  const int title = window.style()->pixelMetric(QStyle::PM_TitleBarHeight);
  return wanted.boundedTo(window.screen()->availableSize() - QSize(0, title));
}

}  // namespace spokelab
