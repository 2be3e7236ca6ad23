// The wheel scrolls. A box or a slider takes the wheel only while it has the focus, so scrolling
// past it never changes a value. Tab moves the focus on, also from tables and texts.
#pragma once

class QApplication;

namespace spokelab {

// Call it once: it holds for all windows of the application.
void useWheelFocus(QApplication& application);

}  // namespace spokelab
