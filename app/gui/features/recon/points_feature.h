// Transforms from points to points (type 3) in the window: swept for the charts, tuned, and written
// to a file. They need no scan.
#pragma once

#include <filesystem>

#include "app/gui/features/feature.h"

namespace spokelab {

struct PointsJob;

class PointsFeature : public Feature {
  Q_OBJECT

 public:
  PointsFeature(Session& session, const Views& views, QObject* parent);

  // Times all ratios and machines; the charts show them.
  void sweep(const PointsJob& job);
  // Tunes, transforms the job's values, and writes the others as .npy.
  void transform(const PointsJob& job, const std::filesystem::path& file);

  QAction* action() const { return action_; }

 Q_SIGNALS:
  void swept();  // the charts now show plans for these points, not for the scan

 private:
  void show();
  void chooseOutput(const PointsJob& job);
  // False, told as a failure, where a parameter is wrong.
  bool mayRun(const QString& toDo);

  QAction* action_;
};

}  // namespace spokelab
