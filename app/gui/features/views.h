// The views that several features use, and the helpers for docks, actions and dialogs. A view that
// only one feature uses is made by that feature (addTab).
#pragma once

#include <QKeySequence>
#include <QString>

#include "engine/recon/options/options.h"

class QAction;
class QDockWidget;
class QFileDialog;
class QMainWindow;
class QObject;
class QStackedWidget;
class QWidget;

namespace spokelab {

class Banner;
class ChartPanel;
class CompareView;
class ExplorerView;
class HistoryList;
class HistoryModel;
class ImagePanel;
class JobList;
class LogView;
class Measurement;
class ParameterPanel;
class PlanSliders;
class PlanView;
class ScanPanel;
class SelectionBar;
class TrajectoryView;
class WindowLayout;

struct Views {
  QMainWindow* window = nullptr;  // the parent of docks and dialogs
  WindowLayout* layout = nullptr;
  Banner* banner = nullptr;
  QStackedWidget* centre = nullptr;  // shows `image` or `comparison`
  ImagePanel* image = nullptr;
  CompareView* comparison = nullptr;
  Measurement* measurement = nullptr;  // in the slices of both
  ScanPanel* scan = nullptr;
  TrajectoryView* trajectory = nullptr;
  SelectionBar* selection = nullptr;
  HistoryList* history = nullptr;
  ParameterPanel* parameters = nullptr;
  PlanSliders* sliders = nullptr;
  PlanView* plan = nullptr;
  JobList* jobs = nullptr;
  ChartPanel* charts = nullptr;
  ExplorerView* explorer = nullptr;
  LogView* log = nullptr;

  bool comparing() const;
};

Views makeViews(QMainWindow& window, HistoryModel& results);

// A dock of the window, which owns it.
QDockWidget* addDock(const Views& views, const char* name, const QString& title, QWidget* content,
                     Qt::DockWidgetArea area);
// A dock at the bottom, as a tab beside the charts.
QDockWidget* addTab(const Views& views, const char* name, const QString& title, QWidget* content);
// Shows the dock of a view in front of those beside it.
void bringUp(QWidget* view);
// The same by the program itself: in a layout that the user chose, the dock's tab is marked
// instead, until it is seen.
void announce(const Views& views, QWidget* view);
// A number behind the title of a view's dock; 0: none.
void setBadge(QWidget* view, int number);
// An entry of a menu: shows the dock or brings it in front of those beside it; one in front it
// hides. place: in the menu, from 0; the first 27 have keys.
QAction* makeDockAction(QDockWidget* dock, int place);
// True if a part is in a dock that another dock hides.
bool isBehind(const QWidget* part);

// A menu's or tool bar's entry. `help` becomes the tool tip, with the key.
QAction* makeAction(QObject* owner, const QString& text, const char* name, const QKeySequence& key = {},
                    const QString& help = {});

// Dialogs that choose a file. They are deleted when they are closed.
QFileDialog* dialogToOpen(QWidget* parent, const QString& title, const char* name, const QString& folder,
                          const QString& filter);
QFileDialog* dialogToSave(QWidget* parent, const QString& title, const char* name, const QString& suggested,
                          const QString& filter, const QString& suffix = {});
// The folder of the scan that was chosen last.
QString lastFolder();

}  // namespace spokelab
