// The words of a comparison.
#pragma once

#include <QString>

#include "engine/scan/scan.h"

namespace spokelab {

enum class CompareStyle;

// Over the first column: what is seen there. `reference` 0: there is none yet.
QString shownCaption(CompareStyle style, int shown, int reference, bool referenceIsUp);
QString referenceCaption(int reference);
// What was subtracted from what. `asked`: the user chose magnitudes.
QString differenceText(int shown, int reference, bool ofMagnitudes, bool asked);
// "drawn times 3.2e4 to fit the reference"; with its phase where it has one.
QString scaleText(cdouble scale);
QString nrmseText(double nrmse, bool ofMagnitudes);

}  // namespace spokelab
