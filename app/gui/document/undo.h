// Undo for what the user changes: parameters, decisions about the scan, which result is shown, window and level, how the
// volume is drawn.
// A change that goes on (typing, dragging) is one step. Results are never taken away by it.
#pragma once

#include <QElapsedTimer>
#include <QObject>

#include <map>
#include <string>

#include "engine/recon/options/options.h"
#include "widgets/core/display_mode.h"
#include "widgets/image/volume/volume_style.h"

class QMenu;
class QUndoStack;

namespace spokelab {

class MainWindow;

class Undo : public QObject {
  Q_OBJECT

 public:
  explicit Undo(MainWindow& window);

  QUndoStack* stack() const { return stack_; }
  void addMenu();
  QMenu* menu() const { return menu_; }
  void forget();     // another session: nothing before it can be undone
  void readAgain();  // what is shown is the state to start from

  // How a step is carried out; nothing that happens meanwhile becomes a step.
  void setOptions(const std::map<std::string, std::string>& values);
  void setOverrides(const std::map<std::string, std::string>& overrides);
  void setShown(int id);
  void setWindow(DisplayMode mode, const DisplayWindow& window);
  void setVolume(const VolumeStyle& style);

 private:
  void optionsChanged(const ReconOptions& options);
  void scanOpened();
  void shownChanged(int id);
  void windowChanged(const DisplayWindow& window);
  void volumeChanged(const VolumeStyle& style);

  MainWindow& window_;
  QUndoStack* stack_;
  QMenu* menu_ = nullptr;
  bool applying_ = false;
  // The state before the next step.
  std::map<std::string, std::string> options_, overrides_;
  QString file_;
  int shown_ = 0;
  DisplayMode mode_ = DisplayMode::magnitude;
  DisplayWindow level_;
  VolumeStyle volume_;
  bool undoingRead_ = false;  // a scan is read again because of a step
};

}  // namespace spokelab
