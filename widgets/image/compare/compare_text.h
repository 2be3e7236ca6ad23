// Texts of the comparison view. Images are numbered from 1, as in the list of results.
#pragma once

#include <QString>

#include "engine/scan/scan.h"

namespace spokelab {

enum class CompareStyle;

// The caption of the first column. `reference` 0: no reference yet.
QString shownCaption(CompareStyle style, int shown, int reference, bool referenceIsUp);
QString referenceCaption(int reference);
// Names the two subtracted images. `asked`: the user chose magnitudes.
QString differenceText(int shown, int reference, bool ofMagnitudes, bool asked);
// "drawn times 3.2e4 to fit the reference"; names the phase, too, if the scale is not real.
QString scaleText(cdouble scale);
QString nrmseText(double nrmse, bool ofMagnitudes);

}  // namespace spokelab
