// Baselines: the charts' plans timed and kept, timed again and judged
// (engine/profile/baseline/baseline.h).
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

struct Baseline;
struct BaselineComparison;

class BaselinesFeature : public Feature {
  Q_OBJECT

 public:
  BaselinesFeature(Session& session, const Views& views, QObject* parent);

  // These open no dialog to ask.
  void save(const QString& file);         // of the charts' timed plans
  void compareWith(const QString& file);  // ends in a BaselineDialog

  QAction* saveAction() const { return save_; }
  QAction* compareAction() const { return compare_; }

 private:
  std::vector<Candidate> timedPlans() const;  // of the charts
  void showVerdicts(const std::shared_ptr<const BaselineComparison>& comparison,
                    const std::shared_ptr<const Baseline>& after);
  void keep(const std::shared_ptr<const Baseline>& timings);

  QAction *save_, *compare_;
};

}  // namespace spokelab
