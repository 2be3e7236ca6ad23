#include "app/gui/features/profile/suites_feature.h"

#include <QAction>
#include <QMainWindow>

#include "app/gui/features/profile/suite_dialog.h"

namespace spokelab {

SuitesFeature::SuitesFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), action_(makeAction(this, tr("Run a s&uite…"), "action-suite")) {
  connect(action_, &QAction::triggered, this, &SuitesFeature::show);
}

void SuitesFeature::show() {
  auto* dialog = views_.window->findChild<SuiteDialog*>(QStringLiteral("suite"));
  if (!dialog) dialog = new SuiteDialog(session_, views_.window);
  dialog->show();
  dialog->raise();
}

}  // namespace spokelab
