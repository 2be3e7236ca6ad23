// Undo for the user's changes: parameters, decisions about the scan, the shown result, names and
// deletions of results, window and level, the style of the volume. A continued change (typing,
// dragging) is one step. Undo never discards computed results.
#pragma once

#include <QElapsedTimer>

#include <map>
#include <string>

#include "app/gui/features/feature.h"
#include "engine/recon/options/options.h"
#include "widgets/core/display_mode.h"
#include "widgets/image/volume/volume_style.h"

class QUndoStack;

namespace spokelab {

class Undo : public Feature {
  Q_OBJECT

 public:
  Undo(Session& session, const Views& views, QObject* parent);

  QUndoStack* stack() const { return stack_; }
  QAction* undoAction() const { return undo_; }
  QAction* redoAction() const { return redo_; }
  void forget();     // another session: earlier steps cannot be undone
  void readAgain();  // takes the shown state as the start

  // Carry out a step; changes made meanwhile do not become steps.
  void setOptions(const std::map<std::string, std::string>& values);
  void setOverrides(const std::map<std::string, std::string>& overrides);
  void setShown(int id);
  void setName(int id, const QString& name);
  void setDeleted(const std::vector<HistoryEntry>& results, bool deleted, int shown);
  void setWindow(DisplayMode mode, const DisplayWindow& window);
  void setVolume(const VolumeStyle& style);

 Q_SIGNALS:
  void readRequested(const QString& file, const std::map<std::string, std::string>& overrides);

 private:
  void optionsChanged(const ReconOptions& options);
  void scanOpened();
  void shownChanged(int id);
  void renamed(int id, const QString& before, const QString& now);
  void removed(const std::vector<HistoryEntry>& results);
  void windowChanged(const DisplayWindow& window);
  void volumeChanged(const VolumeStyle& style);

  QUndoStack* stack_;
  QAction *undo_, *redo_;
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
