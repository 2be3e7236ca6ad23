#include "app/gui/features/tools.h"

#include <QAction>
#include <QDialog>
#include <QFileDialog>
#include <QFileInfo>
#include <QMenu>
#include <QVBoxLayout>

#include "app/gui/features/baseline_dialog.h"
#include "app/gui/features/readings_dialog.h"
#include "app/gui/features/study_actions.h"
#include "app/gui/features/suite_dialog.h"
#include "app/gui/features/wisdom_actions.h"
#include "app/gui/window/main_window.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/recon/density_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/recon/scan/describe_dialog.h"
#include "widgets/recon/scan/simulate_dialog.h"

namespace spokelab {
namespace {

const QString simulateName = QStringLiteral("simulate"), densityName = QStringLiteral("density");

void showSimulate(MainWindow& window) {
  auto* dialog = window.findChild<SimulateDialog*>(simulateName);
  if (!dialog) {
    dialog = new SimulateDialog(&window);
    QObject::connect(dialog, &SimulateDialog::simulateRequested, &window.session(), &Session::simulate);
  }
  dialog->show();
  dialog->raise();
}

void saveScan(MainWindow& window) {
  auto* dialog = new QFileDialog(&window, MainWindow::tr("Save the scan"), QStringLiteral("scan.h5"),
                                 MainWindow::tr("ISMRMRD (*.h5)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setDefaultSuffix(QStringLiteral("h5"));
  QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&window](const QString& file) {
    window.session().saveScan(std::filesystem::path(file.toStdString()));
  });
  dialog->open();
}

void showDensity(MainWindow& window, const std::shared_ptr<const DensityTrials>& trials) {
  auto* dialog = window.findChild<QDialog*>(densityName);
  if (!dialog) {
    dialog = new QDialog(&window);
    dialog->setObjectName(densityName);
    auto* layout = new QVBoxLayout(dialog);
    layout->addWidget(new DensityView);
  }
  dialog->setWindowTitle(MainWindow::tr("Density weights of %1").arg(trials->scan));
  dialog->findChild<DensityView*>()->setTrials(trials);
  dialog->show();
  dialog->raise();
}

void showReadings(MainWindow& window) {
  auto* readings = new ReadingsDialog(window.session(), &window);
  readings->setAttribute(Qt::WA_DeleteOnClose);
  readings->show();
  readings->look();
}

// Writes the description and opens the scan that it makes of the arrays.
void openDescribed(MainWindow& window, const QString& file, const QString& text) {
  try {
    writeFileAtomically(file.toStdString(), text.toStdString());
  } catch (const Error& error) {
    Q_EMIT window.session().failed(failureOf(error));
    return;
  }
  window.open(file);
}

void showDescription(MainWindow& window, const QString& array,
                     const std::shared_ptr<const ProposedDescription>& proposal) {
  auto* dialog = new DescribeDialog(array, *proposal, &window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &DescribeDialog::openRequested, &window, [&window, array](const QString& text) {
    const QFileInfo info(array);
    auto* place = new QFileDialog(&window, MainWindow::tr("Save the description beside the arrays"),
                                  info.dir().filePath(info.completeBaseName() + QStringLiteral(".json")),
                                  MainWindow::tr("Description (*.json)"));
    place->setAttribute(Qt::WA_DeleteOnClose);
    place->setAcceptMode(QFileDialog::AcceptSave);
    place->setDefaultSuffix(QStringLiteral("json"));
    QObject::connect(place, &QFileDialog::fileSelected, &window,
                     [&window, text](const QString& file) { openDescribed(window, file, text); });
    place->open();
  });
  dialog->show();
}

QAction* action(MainWindow& window, const QString& text, const char* name, void (*show)(MainWindow&)) {
  auto* made = new QAction(text, &window);
  made->setObjectName(QString::fromUtf8(name));
  QObject::connect(made, &QAction::triggered, &window, [&window, show] { show(window); });
  return made;
}

}  // namespace

void addTools(MainWindow& window, const ToolMenus& menus) {
  Session& session = window.session();
  menus.file->insertActions(
      menus.file->actions().value(1),
      {action(window, MainWindow::tr("Si&mulate a scan…"), "action-simulate", showSimulate),
       action(window, MainWindow::tr("Save the s&can…"), "action-save-scan", saveScan)});
  menus.reconstruction->addAction(
      action(window, MainWindow::tr("Compare &density weights"), "action-density",
             [](MainWindow& w) { w.session().compareDensity(w.parameters()->options()); }));
  addWisdomActions(window, *menus.reconstruction);
  menus.reconstruction->addAction(
      action(window, MainWindow::tr("Studies of the &papers…"), "action-studies", showStudies));
  addSuites(window, *menus.reconstruction);
  addBaselines(window, *menus.reconstruction);
  menus.view->addAction(action(window, MainWindow::tr("Other rea&dings…"), "action-readings", showReadings));
  QObject::connect(
      &session, &Session::densityCompared, &window,
      [&window](const std::shared_ptr<const DensityTrials>& trials) { showDensity(window, trials); });
  QObject::connect(
      &session, &Session::descriptionProposed, &window,
      [&window](const QString& array, const std::shared_ptr<const ProposedDescription>& proposal) {
        showDescription(window, array, proposal);
      });
}

}  // namespace spokelab
