// The dock of the scheduler's time line.
#pragma once

class QDockWidget;

namespace spokelab {

class MainWindow;

// Makes the dock "timeline" as a tab beside another one, and connects it with the session.
void addTimelineDock(MainWindow& window, QDockWidget* besides);

}  // namespace spokelab
