// Sessions in the window: open, save, autosave, and what a program that ended badly left behind.
#pragma once

#include <QObject>
#include <QTimer>

#include <filesystem>
#include <memory>

#include "app/gui/document/session_saver.h"
#include "engine/profile/session/autosave.h"

class QAction;
class QMenu;

namespace spokelab {

class MainWindow;
struct LoadedSession;

class Workspace : public QObject {
  Q_OBJECT

 public:
  static constexpr int autosaveMs = 4000;  // between looks at whether something changed

  explicit Workspace(MainWindow& window);
  ~Workspace() override;

  void addActions(QMenu* file);
  // Begins to autosave below this folder. Without it nothing is kept.
  void keepIn(const std::filesystem::path& root, int everyMs = autosaveMs);
  // Asks about the newest session that was left behind; false: there is none.
  bool offerRecovery();

  void open(const QString& file);
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

 private:
  void look();  // autosaves where something changed
  void takeOpened(const QString& file, const LoadedSession& loaded);
  void askForScan(const QString& session, const QString& scan, const QString& why);
  void wasSaved(const QString& file, bool automatic);
  void updateTitle();

  MainWindow& window_;
  std::filesystem::path root_;
  AutosaveSlot slot_, recovered_, offered_;
  QTimer timer_;
  QString file_;
  std::unique_ptr<SavedSession> autosaved_, saving_, savedAs_;
  QAction* last_ = nullptr;
  SessionSaver saver_;
};

}  // namespace spokelab
