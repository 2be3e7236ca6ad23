// Two results beside each other, in place of slices and volume; one of them may come from a file.
#pragma once

#include <vector>

#include "app/gui/features/feature.h"

namespace spokelab {

class CompareFeature : public Feature {
  Q_OBJECT

 public:
  CompareFeature(Session& session, const Views& views, QObject* parent);

  void setComparing(bool on);  // the shown result beside the reference
  // The results that can be compared with the one that is shown; it is among them.
  std::vector<const HistoryEntry*> comparable() const;
  // An image to compare with, as a result of the open scan.
  void openReference(const QString& file);

  QAction* action() const { return action_; }
  QAction* referenceAction() const { return reference_; }

 private:
  void choosePair(int shown, int reference);
  void chooseReference();
  void takeReference(HistoryEntry entry);
  void update();

  QAction *action_, *reference_;
};

}  // namespace spokelab
