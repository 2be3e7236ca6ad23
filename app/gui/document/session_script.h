// The session as scripts that repeat it: commands of the shell, and lines of Python for the
// package. Each result has a file to itself. Both are also kept in a folder, up to date after every
// action.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/gui/document/session_saver.h"
#include "app/gui/features/feature.h"

namespace spokelab {

class SessionScript : public Feature {
  Q_OBJECT

 public:
  SessionScript(Session& session, const Views& views, QObject* parent);

  // Keeps this session's scripts in the folder, by time, beside the newest earlier ones.
  void keepIn(const std::filesystem::path& folder);
  static std::filesystem::path defaultFolder();                          // empty without a home
  const std::filesystem::path& keptShell() const { return keptShell_; }  // empty: nothing yet

  QAction* action() const { return action_; }
  QAction* folderAction() const { return folderAction_; }
  std::string shell() const;
  std::string python() const;
  // Writes Python if the name ends in .py, else commands of the shell. The file is executable.
  void save(const QString& file);

 private:
  void ask();
  void keep();
  void takeJob(const JobState& state);
  void takeResult(const HistoryEntry& entry);

  QAction *action_, *folderAction_;
  std::filesystem::path folder_, keptShell_, keptPython_;
  std::vector<std::string> shell_, python_;  // a command each, with a note above where one is due
  std::set<int> writtenJobs_;                // jobs
  std::weak_ptr<const Scan> scan_;           // that python_ has read last
  int images_ = 0;
  ErrandThread keeper_;  // last: it ends before anything that it uses
};

}  // namespace spokelab
