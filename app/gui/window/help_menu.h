// The menu of the guide, the keys and the diagnostic bundle, and the badges of the backends.
#pragma once

#include <vector>

#include "app/cli/backends.h"

class QAction;
class QMenu;
class QToolBar;

namespace spokelab {

class MainWindow;

QAction* makeGuideAction(MainWindow& window);
void fillHelpMenu(MainWindow& window, QMenu* help, QAction* guide);
// Adds one badge for each backend at the tool bar's right end. The badge of a backend with several
// devices shows the memory and load of each.
void addBadges(QToolBar& bar, const std::vector<BackendBadge>& badges, const std::vector<Backend*>& backends);

}  // namespace spokelab
