#include "app/gui/features/scan/readings_feature.h"

#include <QAction>
#include <QMainWindow>

#include "app/gui/features/scan/readings_dialog.h"

namespace spokelab {

ReadingsFeature::ReadingsFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), action_(makeAction(this, tr("Other rea&dings…"), "action-readings")) {
  connect(action_, &QAction::triggered, this, &ReadingsFeature::show);
}

void ReadingsFeature::show() {
  auto* dialog = new ReadingsDialog(session_, views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &ReadingsDialog::decisionChosen, this, &ReadingsFeature::decisionChosen);
  connect(dialog, &ReadingsDialog::readAgainRequested, this, &ReadingsFeature::readAgainRequested);
  dialog->show();
  dialog->look();
}

}  // namespace spokelab
