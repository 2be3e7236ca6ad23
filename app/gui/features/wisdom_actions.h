// The menu of what tuning has found out: export, import, merge, forget.
#pragma once

class QMenu;

namespace spokelab {

class MainWindow;

// Adds the submenu to the menu of reconstruction. Without wisdom in the session its actions are disabled.
void addWisdomActions(MainWindow& window, QMenu& menu);

}  // namespace spokelab
