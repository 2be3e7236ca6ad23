// The volume's place in the image panel: the view with its caption, or why it is missing.
#pragma once

#include <QLabel>

namespace spokelab {

class VolumeView;

// A volume view with its caption over it. Only if VolumeView::available().
VolumeView* makeCaptionedVolume(const QFont& font);
QLabel* makeVolumeSubstitute(const QString& why);

}  // namespace spokelab
