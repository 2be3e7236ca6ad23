// Maps of noise, SNR and g-factor of the reconstruction that the parameters name: their dock, and
// the action that makes them.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class NoiseView;
struct NoiseMaps;

class NoiseFeature : public Feature {
  Q_OBJECT

 public:
  NoiseFeature(Session& session, const Views& views, QObject* parent);

  void map(const ReconOptions& options, int replicas);
  // The maps of a scan's reconstruction with these options; null: none were made.
  std::shared_ptr<const NoiseMaps> mapsOf(const Scan& scan, const ReconOptions& options) const;
  NoiseView* view() const { return view_; }
  QAction* action() const { return action_; }

 Q_SIGNALS:
  void mapped();
  void overRequested(std::shared_ptr<const spokelab::Image> map, const QString& name);

 private:
  NoiseView* view_;
  QAction* action_;
  std::shared_ptr<const NoiseMaps> maps_;  // null: none
  std::weak_ptr<const Scan> scan_;         // of these maps
  ReconOptions options_;
};

}  // namespace spokelab
