#include "app/gui/window/help_menu.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QToolBar>

#include "app/gui/features/views.h"
#include "app/gui/window/cheat_sheet.h"
#include "app/gui/window/device_watch.h"
#include "app/gui/window/diagnostics.h"
#include "app/gui/window/help_viewer.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/theme.h"
#include "engine/core/version.h"
#include "engine/nufft/plugin/plugin_info.h"
#include "widgets/recon/jobs/device_badge.h"

namespace spokelab {
namespace {

QWidget* makeBadge(const BackendBadge& badge, const Backend* several) {
  if (several && badge.name == several->name()) {
    auto* devices = new DeviceBadge(several->deviceCount());
    new DeviceWatch(*several, *devices, devices);
    return devices;
  }
  // The tool tip gives the reason for a missing GPU, so the badge is short.
  const QString text = QString::fromStdString(badge.text);
  auto* label = new QLabel(badge.usable ? text : MainWindow::tr("no GPU"));
  label->setProperty("role", "badge");
  label->setProperty("usable", badge.usable);
  label->setToolTip(text);
  return label;
}

// One badge for all plug-ins; the tool tip names each, or its refusal. Null without any.
QLabel* makePluginBadge(const std::vector<BackendBadge>& badges) {
  int used = 0, refused = 0;
  QStringList lines;
  for (const BackendBadge& badge : badges) {
    if (!isPlugin(badge.name)) continue;
    ++(badge.usable ? used : refused);
    lines << QString::fromStdString(badge.name + ": " + badge.text);
  }
  if (lines.isEmpty()) return nullptr;
  QString text = MainWindow::tr("%1 plug-ins").arg(used);
  if (used == 1) text = MainWindow::tr("1 plug-in");
  if (refused > 0) text += MainWindow::tr(", %1 refused").arg(refused);
  auto* label = new QLabel(text);
  label->setObjectName(QStringLiteral("plugins"));
  label->setProperty("role", "badge");
  label->setProperty("usable", refused == 0);
  label->setToolTip(lines.join(QLatin1Char('\n')));
  return label;
}

void showGuide(MainWindow& window) {
  auto* guide = window.findChild<HelpViewer*>();
  if (!guide) guide = new HelpViewer(&window);
  guide->show();
  guide->raise();
  guide->activateWindow();
}

void showAbout(MainWindow& window) {
  auto* about = new QMessageBox(
      QMessageBox::NoIcon, MainWindow::tr("About Spokelab"),
      MainWindow::tr("<b>Spokelab %1</b><p>A workbench for non-Cartesian MRI and the non-uniform "
                     "FFT.</p><p>Qt %2, VTK, QCustomPlot, FFTW, oneTBB, HDF5, ISMRMRD.</p>")
          .arg(QString::fromUtf8(version()), QString::fromUtf8(qVersion())),
      QMessageBox::Close, &window);
  about->setAttribute(Qt::WA_DeleteOnClose);
  about->setIconPixmap(icon(QStringLiteral("spokelab")).pixmap(64, 64));
  about->open();
}

}  // namespace

QAction* makeGuideAction(MainWindow& window) {
  QAction* guide = makeAction(&window, MainWindow::tr("Guide"), "action-help", QKeySequence::HelpContents,
                              MainWindow::tr("The user's guide"));
  guide->setIcon(icon(QStringLiteral("help")));
  QObject::connect(guide, &QAction::triggered, &window, [&window] { showGuide(window); });
  return guide;
}

void fillHelpMenu(MainWindow& window, QMenu* help, QAction* guide) {
  help->addAction(guide);
  addCheatSheet(window, help);
  addDiagnostics(window.session(), window.views(), help);
  help->addAction(MainWindow::tr("&About Spokelab"), &window, [&window] { showAbout(window); })
      ->setObjectName(QStringLiteral("action-about"));
}

void addBadges(QToolBar& bar, const std::vector<BackendBadge>& badges,
               const std::vector<Backend*>& backends) {
  const Backend* const several = backendOfSeveralDevices(backends);
  auto* space = new QWidget;
  space->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
  bar.addWidget(space);
  const auto add = [&bar](QWidget* badge) {
    auto* holder = new QWidget;
    auto* layout = new QHBoxLayout(holder);
    layout->setContentsMargins(3, 0, 3, 0);
    layout->addWidget(badge, 0, Qt::AlignVCenter);
    bar.addWidget(holder);
  };
  for (const BackendBadge& badge : badges)
    if (!isPlugin(badge.name)) add(makeBadge(badge, several));
  if (QLabel* plugins = makePluginBadge(badges)) add(plugins);
}

}  // namespace spokelab
