// What the list of parameters needs of the window: files to browse for, a key that finds a row, and
// a memory of the groups that are open.
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
