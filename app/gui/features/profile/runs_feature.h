// Runs of the list as files, and two of them compared plan by plan.
#pragma once

#include <vector>

#include "app/gui/features/feature.h"
#include "engine/profile/runs/timed_run.h"
#include "widgets/profile/runs/run_list.h"

class QAction;

namespace spokelab {

class ChartsFeature;
class RunTable;

class RunsFeature : public Feature {
  Q_OBJECT

 public:
  RunsFeature(Session& session, const Views& views, ChartsFeature& charts, QObject* parent);

  void compare(int before, int after);
  RunTable* table() const { return table_; }
  QAction* axesAction() const { return axes_; }
  void exportTo(const QString& file, const std::vector<int>& numbers, RunFormat format);

 private:
  void chooseFile(const std::vector<int>& numbers, RunFormat format);
  std::vector<TimedRun> runsOf(const std::vector<int>& numbers);

  void fill();

  ChartsFeature& charts_;
  RunTable* table_;
  QAction* axes_;
  bool stale_ = false;  // while nobody sees it, it is not made again
  bool waits_ = false;  // for the event that fills it
};

}  // namespace spokelab
