#include "app/gui/features/wisdom_actions.h"

#include <QAction>
#include <QFileDialog>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>

#include "app/gui/window/main_window.h"
#include "engine/core/error.h"
#include "widgets/recon/jobs/log_view.h"

namespace spokelab {
namespace {

// What `work` says goes to the log; an Error to the banner, as that of any job.
void run(MainWindow& window, const QString& title, std::function<QString(Wisdom&)> work) {
  Session& session = window.session();
  session.jobs().submit(JobKind::save, title, [&window, &session, work](const JobContext&) {
    const QString text = work(*session.wisdom());
    return [&window, text] { window.log()->append(LogLevel::information, text); };
  });
}

QString mergeText(const WisdomMerge& m) {
  QString text =
      MainWindow::tr("Wisdom: %1 added, %2 replaced, %3 kept").arg(m.added).arg(m.replaced).arg(m.kept);
  if (m.refused > 0) text += MainWindow::tr(", %1 refused: no wisdom").arg(m.refused);
  return text;
}

QFileDialog* fileDialog(MainWindow& window, const QString& title) {
  auto* dialog = new QFileDialog(&window, title, {}, MainWindow::tr("Wisdom (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setDefaultSuffix(QStringLiteral("json"));
  return dialog;
}

void exportTo(MainWindow& window) {
  auto* dialog = fileDialog(window, MainWindow::tr("Export wisdom"));
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->selectFile(QStringLiteral("wisdom.json"));
  QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&window](const QString& file) {
    run(window, MainWindow::tr("Export wisdom"), [file](Wisdom& wisdom) {
      return MainWindow::tr("Wisdom: %1 entries written to %2")
          .arg(wisdom.exportTo(file.toStdString()))
          .arg(file);
    });
  });
  dialog->open();
}

void takeFrom(MainWindow& window, const QString& title, QFileDialog::FileMode mode, WisdomRule rule) {
  auto* dialog = fileDialog(window, title);
  dialog->setFileMode(mode);
  QObject::connect(dialog, &QFileDialog::filesSelected, &window,
                   [&window, title, rule](const QStringList& files) {
                     run(window, title, [files, rule](Wisdom& wisdom) {
                       WisdomMerge sum;
                       for (const QString& file : files) {
                         const WisdomMerge m = wisdom.import(file.toStdString(), rule);
                         sum.added += m.added;
                         sum.replaced += m.replaced;
                         sum.kept += m.kept;
                         sum.refused += m.refused;
                       }
                       return mergeText(sum);
                     });
                   });
  dialog->open();
}

void forget(MainWindow& window) {
  auto* box = new QMessageBox(QMessageBox::Question, MainWindow::tr("Forget wisdom"),
                              MainWindow::tr("Forget what tuning has found out? Plans will be tuned again."),
                              QMessageBox::Cancel, &window);
  box->setAttribute(Qt::WA_DeleteOnClose);
  auto* foreign = box->addButton(MainWindow::tr("Of other machines"), QMessageBox::AcceptRole);
  foreign->setObjectName(QStringLiteral("forget-foreign"));
  auto* all = box->addButton(MainWindow::tr("Everything"), QMessageBox::DestructiveRole);
  all->setObjectName(QStringLiteral("forget-all"));
  QObject::connect(foreign, &QPushButton::clicked, &window, [&window] {
    const std::vector<Backend*>& backends = window.session().backends();
    const std::vector<std::string> here =
        Wisdom::fingerprintsOf(std::vector<NufftBackend*>(backends.begin(), backends.end()));
    run(window, MainWindow::tr("Forget wisdom of other machines"), [here](Wisdom& wisdom) {
      std::vector<std::string> keys;
      for (const WisdomLine& line : wisdom.list(here))
        if (!line.here) keys.push_back(line.key);
      return MainWindow::tr("Wisdom: %1 entries of other machines forgotten").arg(wisdom.forget(keys));
    });
  });
  QObject::connect(all, &QPushButton::clicked, &window, [&window] {
    run(window, MainWindow::tr("Forget wisdom"), [](Wisdom& wisdom) {
      const std::size_t count = wisdom.size();
      wisdom.forget();
      return MainWindow::tr("Wisdom: %1 entries forgotten").arg(count);
    });
  });
  box->open();
}

}  // namespace

void addWisdomActions(MainWindow& window, QMenu& menu) {
  QMenu* wisdom = menu.addMenu(MainWindow::tr("&Wisdom"));
  wisdom->setEnabled(window.session().wisdom() != nullptr);
  const auto add = [&](const QString& text, const char* name, auto&& slot) {
    QAction* action = wisdom->addAction(text, &window, slot);
    action->setObjectName(QString::fromUtf8(name));
  };
  add(MainWindow::tr("&Export…"), "action-wisdom-export", [&window] { exportTo(window); });
  add(MainWindow::tr("&Import…"), "action-wisdom-import", [&window] {
    takeFrom(window, MainWindow::tr("Import wisdom"), QFileDialog::ExistingFile, WisdomRule::theirs);
  });
  add(MainWindow::tr("&Merge…"), "action-wisdom-merge", [&window] {
    takeFrom(window, MainWindow::tr("Merge wisdom: the fastest plans count"), QFileDialog::ExistingFiles,
             WisdomRule::fastest);
  });
  add(MainWindow::tr("&Forget…"), "action-wisdom-forget", [&window] { forget(window); });
}

}  // namespace spokelab
