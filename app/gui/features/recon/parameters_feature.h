// Connects the list of parameters to the window: file dialogs, a key that finds a row, and the
// memory of open groups.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class ParametersFeature : public Feature {
  Q_OBJECT

 public:
  // remember: which groups are open is kept between runs.
  ParametersFeature(Session& session, const Views& views, bool remember, QObject* parent);

  QAction* findAction() const { return find_; }

 Q_SIGNALS:
  void optionEdited(const QString& name, const QString& value);

 private:
  void browse(const QString& name);
  void rememberFolds();

  QAction* find_;
};

}  // namespace spokelab
