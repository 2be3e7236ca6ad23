#include "app/gui/features/scan/fit_feature.h"

#include <QAction>
#include <QMainWindow>

#include "app/gui/features/scan/fit_dialog.h"
#include "engine/recon/options/recipe_table.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {

FitFeature::FitFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent),
      action_(makeAction(this, tr("Fit dela&ys and field…"), "action-fit", {},
                         tr("Gradient delays and a field of low order that make the samples agree best"))) {
  connect(action_, &QAction::triggered, this, &FitFeature::show);
}

void FitFeature::show() {
  if (!session_.needScan(tr("fit its model"))) return;
  auto* dialog = new FitDialog(session_, views_.parameters->options(), views_.window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  connect(dialog, &FitDialog::decisionChosen, this, &FitFeature::decisionChosen);
  connect(dialog, &FitDialog::fieldSaved, this, &FitFeature::useField);
  dialog->show();
}

// The next reconstruction takes the map, with a method that knows fields.
void FitFeature::useField(const QString& file) {
  ReconOptions options = views_.parameters->options();
  if (!recipeOf(options).iterates) options.iterative.method = ReconMethod::sense;
  options.iterative.fieldMap = file.toStdString();
  views_.parameters->setOptions(options);
}

}  // namespace spokelab
