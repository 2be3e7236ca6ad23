// Two results beside each other, in place of slices and volume; one may be from a file. A reference
// on another grid is resampled onto the shown result's grid, by its place in the patient.
#pragma once

#include <memory>
#include <vector>

#include "app/gui/features/feature.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class CompareFeature : public Feature {
  Q_OBJECT

 public:
  CompareFeature(Session& session, const Views& views, QObject* parent);

  void setComparing(bool on);  // the shown result beside the reference
  // The results that can be compared with the shown one, which is included.
  std::vector<const HistoryEntry*> comparable() const;
  // An image to compare with.
  void openReference(const QString& file);
  void takeReference(const HistoryEntry& entry);

  QAction* action() const { return action_; }
  QAction* referenceAction() const { return reference_; }

 Q_SIGNALS:
  // Emitted with the reference on the grid of the shown result; null if missing, or not yet known.
  void referenceLaid(const std::shared_ptr<const spokelab::Image>& image);

 private:
  void takeSelectedPair();
  void choosePair(int shown, int reference);
  void chooseReference();
  void layReference();
  void takeLaid(std::shared_ptr<const Image> laid, const QString& resampling);
  void update();

  QAction *action_, *reference_;
  std::shared_ptr<const Image> laid_;  // the reference on the grid of the shown result
  std::weak_ptr<const Image> from_;    // as it was
  QString resampling_;                 // how it was resampled; empty: it was not
  LatestJob<std::shared_ptr<const Image>> laying_;
};

}  // namespace spokelab
