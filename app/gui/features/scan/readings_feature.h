// Other ways to read the open file, in a dialog.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class ReadingsFeature : public Feature {
  Q_OBJECT

 public:
  ReadingsFeature(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }

 Q_SIGNALS:
  void decisionChosen(const QString& topic, const QString& choice);
  void readAgainRequested(const QString& file);

 private:
  void show();

  QAction* action_;
};

}  // namespace spokelab
