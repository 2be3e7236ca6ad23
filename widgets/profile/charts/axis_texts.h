// Texts beside each other at an axis: all that fit.
#pragma once

#include <QString>

#include <vector>

class QCPAxis;

namespace spokelab {

struct AxisText {
  double at = 0;  // a coordinate of the axis
  QString text;
};

// True if none of them touches the next one, at the axis' size and range now. They ascend in `at`.
bool standApart(const QCPAxis& axis, const std::vector<AxisText>& texts);
// Removes texts that touch the text before; the first one is kept.
std::vector<AxisText> thinnedOut(const QCPAxis& axis, const std::vector<AxisText>& texts);
// 1, 2 and 5 in each decade of the logarithmic range, without those that touch others.
std::vector<AxisText> decadeTexts(const QCPAxis& axis);
// Shows these alone; false: it did before.
bool showTexts(QCPAxis& axis, const std::vector<AxisText>& texts);

}  // namespace spokelab
