// Density weights of the open scan: all methods side by side, and the point spread function of one
// of them.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

struct DensityTrials;

class DensityFeature : public Feature {
  Q_OBJECT

 public:
  DensityFeature(Session& session, const Views& views, QObject* parent);

  void compare(const ReconOptions& options);
  // Shows the point spread of the selected samples of the first frame with the options' density
  // weights.
  void pointSpread(const ReconOptions& options);
  void pointSpread();  // with the parameters

  QAction* action() const { return action_; }

 Q_SIGNALS:
  void compared(std::shared_ptr<const spokelab::DensityTrials> trials);
  void pointSpreadReady(const spokelab::HistoryEntry& entry);  // before it is shown

 private:
  void showTrials(const std::shared_ptr<const DensityTrials>& trials);
  void showPointSpread(const std::shared_ptr<const Scan>& scan,
                       const std::shared_ptr<const Reconstruction>& result);

  QAction* action_;
};

}  // namespace spokelab
