#include "app/gui/features/recon/parameters_feature.h"

#include <QAction>
#include <QFileDialog>
#include <QLineEdit>
#include <QSettings>

#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

const QString openGroupsKey = QStringLiteral("window/parameterGroups");

}  // namespace

ParametersFeature::ParametersFeature(Session& session, const Views& views, bool remember, QObject* parent)
    : Feature(session, views, parent) {
  find_ = makeAction(this, tr("&Find a parameter"), "action-find-parameter", QKeySequence::Find,
                     tr("Search the parameters by name and help"));
  connect(find_, &QAction::triggered, this, [this] {
    bringUp(views_.parameters);
    views_.parameters->searchLine()->setFocus(Qt::ShortcutFocusReason);
    views_.parameters->searchLine()->selectAll();
  });
  connect(views_.parameters, &ParameterPanel::browseRequested, this, &ParametersFeature::browse);
  if (remember) rememberFolds();
}

void ParametersFeature::rememberFolds() {
  const QSettings settings;
  if (settings.contains(openGroupsKey))
    views_.parameters->setUnfolded(settings.value(openGroupsKey).toStringList());
  connect(views_.parameters, &ParameterPanel::foldsChanged, this,
          [this] { QSettings().setValue(openGroupsKey, views_.parameters->unfolded()); });
}

void ParametersFeature::browse(const QString& name) {
  auto* dialog = dialogToOpen(views_.window, tr("Choose the file of %1").arg(name), "map-file", lastFolder(),
                              tr("Maps (*.nii *.nii.gz *.h5 *.npy *.cfl);;All files (*)"));
  connect(dialog, &QFileDialog::fileSelected, this,
          [this, name](const QString& file) { Q_EMIT optionEdited(name, file); });
  dialog->open();
}

}  // namespace spokelab
