// What was done in the window, as scripts that repeat it: commands of the shell, and lines of
// Python for the package. Each result has a file of its own.
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/gui/features/feature.h"

namespace spokelab {

class SessionScript : public Feature {
  Q_OBJECT

 public:
  SessionScript(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }
  std::string shell() const;
  std::string python() const;
  // .py: Python, else the shell; the file may be run.
  void save(const QString& file);

 private:
  void ask();
  void takeJob(const JobState& state);
  void takeResult(const HistoryEntry& entry);

  QAction* action_;
  std::vector<std::string> shell_, python_;  // a command each, with a note above where one is due
  std::set<int> told_;                       // jobs
  std::weak_ptr<const Scan> scan_;           // that python_ has read last
  int images_ = 0;
};

}  // namespace spokelab
