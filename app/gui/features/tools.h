// Tools of the window that have a dialog of their own: simulate a scan, describe plain arrays, compare density weights,
// read the file in other ways.
#pragma once

class QMenu;

namespace spokelab {

class MainWindow;

struct ToolMenus {
  QMenu *file, *reconstruction, *view;
};

// Adds them to the window's menus. The dialogs are the window's children.
void addTools(MainWindow& window, const ToolMenus& menus);

}  // namespace spokelab
