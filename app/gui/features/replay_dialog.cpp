#include "app/gui/features/replay_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include <fstream>

#include "app/gui/report/report.h"
#include "app/gui/report/report_pdf.h"
#include "app/gui/window/main_window.h"
#include "engine/profile/report/report.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/chart_theme.h"

namespace spokelab {
namespace {

constexpr QSize firstSize(860, 560);

void writeReplay(MainWindow& window, const std::shared_ptr<const Report>& repeated) {
  auto* dialog = new QFileDialog(&window, MainWindow::tr("Folder for the report"),
                                 QString::fromStdString(repeated->scan->name) + QStringLiteral("-replay"));
  dialog->setObjectName(QStringLiteral("replay-folder"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setLabelText(QFileDialog::Accept, MainWindow::tr("Write"));
  QObject::connect(dialog, &QFileDialog::fileSelected, &window, [&window, repeated](const QString& folder) {
    Report report = *repeated;
    ProfileData data;
    data.candidates = report.sweep.candidates;
    data.best = report.sweep.best;
    data.accuracy = report.result->options.nufft.accuracy;
    if (!data.candidates.empty()) report.charts = chartFiles(data, ChartFormat::svg);
    report.commandLine = "spokelab report --replay " + report.replay->of + " -o " + folder.toStdString();
    report.drawPdf = reportPdf;
    window.session().saveReport(report, std::filesystem::path(folder.toStdString()));
  });
  dialog->open();
}

void chooseReport(MainWindow& window) {
  auto* dialog = new QFileDialog(&window, MainWindow::tr("Repeat a report"), QString(),
                                 MainWindow::tr("Reports (report.json *.json);;All files (*)"));
  dialog->setObjectName(QStringLiteral("open-report"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                   [&window](const QString& file) { window.session().replay(file); });
  dialog->open();
}

void askForScan(MainWindow& window, const QString& report, const QString& scan) {
  auto* box = new QMessageBox(QMessageBox::NoIcon, MainWindow::tr("Where is the scan?"),
                              MainWindow::tr("The report was made of %1, which is not there.").arg(scan),
                              QMessageBox::Cancel, &window);
  box->setObjectName(QStringLiteral("replay-scan-missing"));
  box->setAttribute(Qt::WA_DeleteOnClose);
  auto* find = box->addButton(MainWindow::tr("Find it…"), QMessageBox::AcceptRole);
  find->setObjectName(QStringLiteral("find-scan"));
  QObject::connect(find, &QPushButton::clicked, &window, [&window, report, scan] {
    auto* dialog = new QFileDialog(&window, MainWindow::tr("The scan %1").arg(QFileInfo(scan).fileName()),
                                   QFileInfo(report).absolutePath());
    dialog->setObjectName(QStringLiteral("find-replay-scan"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                     [&window, report](const QString& file) { window.session().replay(report, file); });
    dialog->open();
  });
  box->open();
}

}  // namespace

ReplayDialog::ReplayDialog(std::shared_ptr<const Report> report, QWidget* parent)
    : QDialog(parent), report_(std::move(report)) {
  setObjectName(QStringLiteral("replay"));
  setWindowTitle(tr("A report repeated"));
  const ReplayComparison& comparison = *report_->replay;
  const int differences = comparison.differences();
  auto* summary = new QLabel;
  summary->setObjectName(QStringLiteral("replaySummary"));
  summary->setWordWrap(true);
  summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  const QString of = QString::fromStdString(comparison.of);
  summary->setText(
      differences == 0   ? tr("%1 was reproduced: every number that has to be the same is.").arg(of)
      : differences == 1 ? tr("%1 was not reproduced: one number differs.").arg(of)
                         : tr("%1 was not reproduced: %2 numbers differ.").arg(of).arg(differences));
  table_ = new QTableWidget(int(comparison.rows.size()), 4);
  table_->setObjectName(QStringLiteral("replayTable"));
  table_->setAccessibleName(tr("Numbers of the report and of its replay"));
  table_->setHorizontalHeaderLabels({tr("Quantity"), tr("Then"), tr("Now"), tr("Verdict")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  const ChartTheme theme = ChartTheme::onScreen();
  for (int i = 0; i < int(comparison.rows.size()); ++i) {
    const ReplayRow& row = comparison.rows[std::size_t(i)];
    const bool differs = row.judged && !row.reproduced;
    const QString verdict = row.reproduced ? tr("the same") : differs ? tr("differs") : tr("may differ");
    const QString cells[] = {QString::fromStdString(row.quantity), QString::fromStdString(row.then),
                             QString::fromStdString(row.now), verdict};
    for (int column = 0; column < 4; ++column) {
      auto* item = new QTableWidgetItem(cells[column]);
      item->setToolTip(cells[column]);
      if (differs) item->setForeground(theme.limit);
      if (!row.judged) item->setForeground(theme.muted);
      table_->setItem(i, column, item);
    }
  }
  table_->horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
  for (int column = 1; column < 3; ++column)
    table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Stretch);
  table_->horizontalHeader()->setSectionResizeMode(3, QHeaderView::ResizeToContents);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* write = buttons->addButton(tr("Write a report of it…"), QDialogButtonBox::ActionRole);
  write->setObjectName(QStringLiteral("write-replay"));
  connect(write, &QPushButton::clicked, this, &ReplayDialog::writeRequested);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary);
  column->addWidget(table_, 1);
  column->addWidget(buttons);
  resize(firstSize);
}

bool ReplayDialog::reproduced() const {
  return report_->replay->differences() == 0;
}

bool isReport(const std::filesystem::path& file) {
  std::error_code failed;
  if (file.extension() != ".json" || !std::filesystem::is_regular_file(file, failed)) return false;
  std::ifstream in(file, std::ios::binary);
  constexpr std::size_t enough = std::size_t{4}
                                 << 20;  // keys are sorted: the format comes after the charts' names
  std::string start(std::min<std::size_t>(enough, std::filesystem::file_size(file, failed)), '\0');
  in.read(start.data(), std::streamsize(start.size()));
  return start.find("\"spokelab-report\"") != std::string::npos;
}

void addReplay(MainWindow& window, QMenu* file) {
  auto* action = new QAction(MainWindow::tr("Repea&t a report…"), &window);
  action->setObjectName(QStringLiteral("action-replay"));
  action->setShortcut(Qt::CTRL | Qt::SHIFT | Qt::Key_E);
  QObject::connect(action, &QAction::triggered, &window, [&window] { chooseReport(window); });
  QAction* quit = file->actions().isEmpty() ? nullptr : file->actions().back();
  file->insertAction(quit, action);
  file->insertSeparator(quit);
  Session& session = window.session();
  QObject::connect(&session, &Session::replayed, &window,
                   [&window](const std::shared_ptr<const Report>& report) {
                     auto* dialog = new ReplayDialog(report, &window);
                     dialog->setAttribute(Qt::WA_DeleteOnClose);
                     QObject::connect(dialog, &ReplayDialog::writeRequested, &window,
                                      [&window, report] { writeReplay(window, report); });
                     dialog->show();
                   });
  QObject::connect(
      &session, &Session::replayNeedsScan, &window,
      [&window](const QString& report, const QString& scan) { askForScan(window, report, scan); });
}

}  // namespace spokelab
