// The corrections that the slider of the fit's dialog moves, in the order of their list.
#pragma once

#include <QString>
#include <QStringList>

namespace spokelab {

enum class SliderCorrection { delays, scaleX, scaleY, scaleZ, drift, response, shift, field, concomitant };

QStringList sliderCorrectionNames();
bool isScale(SliderCorrection moved);

struct SliderRange {
  int least = 0, most = 0, start = 0;  // start: changes nothing, or is the whole of what was found
};
SliderRange sliderRange(SliderCorrection moved);

// The value at a position of the slider: a share of what was found (delays, response, field,
// concomitant), a factor of k (scales), turns of phase (drift), or samples (shift).
double sliderValue(SliderCorrection moved, int position);
// The position of a value, as near as the slider has one.
int sliderPosition(SliderCorrection moved, double value);
// "120 % of the delays"
QString sliderText(SliderCorrection moved, int position);

}  // namespace spokelab
