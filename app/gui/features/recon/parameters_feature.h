// Connects the list of parameters to the window: file dialogs, a key that finds a row, the memory
// of open groups, and the reset, for another scan, of the parameters that belong to one scan (plan,
// method, iterations).
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
  void takeScan();

  QAction* find_;
  bool hadScan_ = false;
  QString file_;            // of the last scan; empty: simulated
  ReconOptions lastScans_;  // as they were for it
};

}  // namespace spokelab
