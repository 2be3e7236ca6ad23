// Sessions in the window: opening, saving and autosaving them, and recovering the session of a
// program that ended badly.
#pragma once

#include <QTimer>

#include <filesystem>
#include <memory>

#include "app/gui/document/session_saver.h"
#include "app/gui/features/feature.h"
#include "engine/profile/runs/timed_run.h"
#include "engine/profile/session/autosave.h"

class QMenu;

namespace spokelab {

class WindowState;
struct LoadedSession;
struct SavedScan;

// Opening a saved session whose scan is missing or has changed.
struct SessionReading {
  QString scanFile;          // the scan is this one; empty: where the session says
  bool anyScan = false;      // the file's content may have changed
  bool withoutScan = false;  // results and options alone
};

class Workspace : public Feature {
  Q_OBJECT

 public:
  static constexpr int autosaveMs = 4000;  // between looks at whether something changed

  Workspace(Session& session, const Views& views, WindowState& state, QObject* parent);
  ~Workspace() override;

  // Entries for the menu of files.
  QList<QAction*> actions() const { return {open_, save_, saveAs_, last_}; }
  void lookForLast();  // enables the entry of the last session where there is one
  // Begins to autosave below this folder. Without it nothing is kept.
  void keepIn(const std::filesystem::path& root, int everyMs = autosaveMs);
  // Reads the runs of the last session on another thread, and emits runsFound: timings outlive the
  // program.
  void findLastRuns();
  // Asks about the newest session that was left behind, once its content is known; false if none
  // exists.
  bool offerRecovery();

  void open(const QString& file, const SessionReading& reading = {});
  void save();  // to the file it has, else asks for one
  void saveTo(const QString& file);
  void chooseToOpen();
  void chooseToSave();
  const QString& file() const { return file_; }  // empty: never saved, never opened
  bool isModified() const;
  void close();  // the window closes: the session becomes the last one

 Q_SIGNALS:
  void saved(const QString& file);
  void autosaved();
  void fileUsed(const QString& file);
  void runsFound(const std::vector<spokelab::TimedRun>& runs, int chosen);

 private:
  void askToRecover(const QString& what);
  void look();  // autosaves where something changed
  void takeOpened(const QString& file, const LoadedSession& loaded);
  void askForScan(const QString& session, const QString& scan, const QString& why);
  void wasSaved(const QString& file, bool automatic);
  void updateTitle();

  WindowState& state_;
  std::filesystem::path root_;
  AutosaveSlot slot_, recovered_, offered_;
  QTimer timer_;
  QString file_;
  std::unique_ptr<SavedSession> autosaved_, saving_, savedAs_;
  QAction *open_, *save_, *saveAs_, *last_;
  SessionSaver saver_;
  ErrandThread finder_;  // last: it ends before anything that it uses
};

}  // namespace spokelab
