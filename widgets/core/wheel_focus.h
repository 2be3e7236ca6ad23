// The wheel scrolls: a box or a slider takes it only while it has the focus, so that scrolling past never
// changes a value. Tab goes on, from tables and texts, too.
#pragma once

class QApplication;

namespace spokelab {

// For all windows of the application, once.
void useWheelFocus(QApplication& application);

}  // namespace spokelab
