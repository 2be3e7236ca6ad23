// A fit of gradient delays and a field of low order to the open scan, in a dialog: a correction
// that becomes a decision of the reader, or a field map of the next reconstruction.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class FitFeature : public Feature {
  Q_OBJECT

 public:
  FitFeature(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }

 Q_SIGNALS:
  void decisionChosen(const QString& topic, const QString& choice);

 private:
  void show();
  void useField(const QString& file);

  QAction* action_;
};

}  // namespace spokelab
