#include "app/gui/features/baseline_dialog.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableWidget>
#include <QVBoxLayout>

#include "app/gui/report/report.h"
#include "app/gui/window/main_window.h"
#include "engine/core/atomic_file.h"
#include "engine/core/text.h"
#include "engine/profile/baseline/baseline.h"
#include "engine/scan/read/read_scan.h"
#include "widgets/profile/charts/chart_panel.h"
#include "widgets/profile/charts/chart_theme.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr QSize firstSize(980, 560);
constexpr double readShare = 0.05;  // of the progress bar

enum Column {
  verdictColumn,
  planColumn,
  quantityColumn,
  beforeColumn,
  afterColumn,
  ratioColumn,
  pColumn,
  columns
};

QString milliseconds(double seconds, double spread) {
  return MainWindow::tr("%1 ms ± %2%").arg(seconds * 1e3, 0, 'g', 4).arg(spread * 100, 0, 'f', 1);
}

QString verdictText(Verdict verdict) {
  switch (verdict) {
    case Verdict::faster:
      return MainWindow::tr("faster");
    case Verdict::slower:
      return MainWindow::tr("slower");
    case Verdict::noDifference:
      return MainWindow::tr("no difference");
    case Verdict::undecided:
      return MainWindow::tr("cannot tell");
    case Verdict::notCompared:
      return MainWindow::tr("not compared");
  }
  return {};
}

QStringList cellsOf(const BaselineRow& row) {
  const QString name = QString::fromStdString(row.name);
  if (!row.note.empty())
    return {verdictText(row.verdict),
            name,
            QString::fromStdString(row.note),
            QString(),
            QString(),
            QString(),
            QString()};
  return {verdictText(row.verdict),
          name,
          QString::fromStdString(row.quantity),
          milliseconds(row.before, row.spreadBefore),
          milliseconds(row.after, row.spreadAfter),
          MainWindow::tr("%1 (%2 to %3)")
              .arg(row.test.ratio, 0, 'f', 3)
              .arg(row.test.low, 0, 'f', 3)
              .arg(row.test.high, 0, 'f', 3),
          QString::number(row.corrected, 'g', 2)};
}

QFileDialog* fileDialog(MainWindow& window, const QString& title, const char* name, bool save,
                        const QString& filter) {
  auto* dialog = new QFileDialog(&window, title, QString(), filter);
  dialog->setObjectName(QString::fromUtf8(name));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  if (save) {
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(filter.contains(QStringLiteral("csv")) ? QStringLiteral("csv")
                                                                    : QStringLiteral("json"));
  } else {
    dialog->setFileMode(QFileDialog::ExistingFile);
  }
  return dialog;
}

QString baselineFilter() {
  return MainWindow::tr("Baselines (*.json)");
}

// Writes on the worker, as any job that saves.
void write(MainWindow& window, const QString& file,
           const std::function<void(const std::filesystem::path&)>& how) {
  Session& session = window.session();
  session.jobs().submit(JobKind{.name = "save baseline"},
                        MainWindow::tr("Save %1").arg(QFileInfo(file).fileName()),
                        [&session, file, how](const JobContext&) -> JobQueue::Delivery {
                          how(file.toStdString());
                          return [&session, file] { Q_EMIT session.saved(file); };
                        });
}

void showVerdicts(MainWindow& window, const std::shared_ptr<const BaselineComparison>& comparison,
                  const std::shared_ptr<const Baseline>& after) {
  auto* dialog = new BaselineDialog(comparison, after, &window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  QObject::connect(dialog, &BaselineDialog::keepRequested, &window, [&window, after] {
    auto* place =
        fileDialog(window, MainWindow::tr("Keep these timings"), "keep-baseline", true, baselineFilter());
    QObject::connect(place, &QFileDialog::fileSelected, &window, [&window, after](const QString& file) {
      write(window, file, [after, file](const std::filesystem::path& path) {
        Baseline named = *after;
        named.name = QFileInfo(file).completeBaseName().toStdString();
        writeBaseline(named, path);
      });
    });
    place->open();
  });
  QObject::connect(dialog, &BaselineDialog::tableRequested, &window, [&window, comparison] {
    auto* place = fileDialog(window, MainWindow::tr("Save the verdicts"), "save-verdicts", true,
                             MainWindow::tr("Tables (*.csv)"));
    QObject::connect(place, &QFileDialog::fileSelected, &window, [&window, comparison](const QString& file) {
      write(window, file, [comparison](const std::filesystem::path& path) {
        writeFileAtomically(path, toCsv(*comparison));
      });
    });
    place->open();
  });
  dialog->show();
}

}  // namespace

BaselineDialog::BaselineDialog(std::shared_ptr<const BaselineComparison> comparison,
                               std::shared_ptr<const Baseline> after, QWidget* parent)
    : QDialog(parent), comparison_(std::move(comparison)), after_(std::move(after)) {
  setObjectName(QStringLiteral("baseline"));
  setWindowTitle(
      tr("%1 beside %2")
          .arg(QString::fromStdString(comparison_->after), QString::fromStdString(comparison_->before)));
  auto* summary = new QLabel(QString::fromStdString(comparison_->summary()));
  summary->setObjectName(QStringLiteral("baselineSummary"));
  summary->setWordWrap(true);
  summary->setTextInteractionFlags(Qt::TextSelectableByMouse);
  std::vector<BaselineRow> rows = comparison_->rows;
  if (comparison_->control.repeatsAfter > 0) rows.push_back(comparison_->control);
  table_ = new QTableWidget(int(rows.size()), columns);
  table_->setObjectName(QStringLiteral("baselineTable"));
  table_->setAccessibleName(tr("Verdict for each plan"));
  table_->setHorizontalHeaderLabels({tr("Verdict"), tr("Plan"), tr("What"), tr("Before"), tr("After"),
                                     tr("Ratio, 95% interval"), tr("p (Holm)")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  const ChartTheme theme = ChartTheme::onScreen();
  for (int i = 0; i < int(rows.size()); ++i) {
    const BaselineRow& row = rows[std::size_t(i)];
    const QStringList cells = cellsOf(row);
    for (int column = 0; column < columns; ++column) {
      auto* item = new QTableWidgetItem(cells[column]);
      item->setToolTip(cells[column]);
      if (row.verdict == Verdict::slower) item->setForeground(theme.limit);
      if (row.verdict == Verdict::faster) item->setForeground(theme.chosen);
      if (row.verdict == Verdict::notCompared || row.verdict == Verdict::undecided)
        item->setForeground(theme.muted);
      if (column >= beforeColumn) item->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      table_->setItem(i, column, item);
    }
    if (!row.note.empty()) table_->setSpan(i, quantityColumn, 1, columns - quantityColumn);
  }
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(planColumn, QHeaderView::Stretch);
  QStringList notes;
  for (const std::string& wrong : comparison_->wrong)
    notes << tr("Less accurate than promised: %1").arg(QString::fromStdString(wrong));
  for (const std::string& difference : comparison_->differences) notes << QString::fromStdString(difference);
  if (after_ && after_->origin.count("load") > 0)
    notes << tr("load: %1").arg(QString::fromStdString(after_->origin.at("load")));
  auto* differing = new QLabel(notes.join(QLatin1Char('\n')));
  differing->setObjectName(QStringLiteral("baselineNotes"));
  differing->setWordWrap(true);
  differing->setTextInteractionFlags(Qt::TextSelectableByMouse);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  auto* keep = buttons->addButton(tr("Keep these timings…"), QDialogButtonBox::ActionRole);
  keep->setObjectName(QStringLiteral("keep-timings"));
  auto* save = buttons->addButton(tr("Save the table…"), QDialogButtonBox::ActionRole);
  save->setObjectName(QStringLiteral("save-table"));
  connect(keep, &QPushButton::clicked, this, &BaselineDialog::keepRequested);
  connect(save, &QPushButton::clicked, this, &BaselineDialog::tableRequested);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  auto* column = new QVBoxLayout(this);
  column->addWidget(summary);
  column->addWidget(table_, 1);
  column->addWidget(differing);
  column->addWidget(buttons);
  resize(firstSize);
}

void saveBaseline(MainWindow& window, const QString& file) {
  Session& session = window.session();
  const auto scan = session.scan();
  std::vector<Candidate> plans;
  for (const Candidate& candidate : window.charts()->data().candidates)
    if (candidate.timed()) plans.push_back(candidate);
  if (!scan || plans.empty()) {
    Q_EMIT session.failed({MainWindow::tr("Cannot take a baseline"), MainWindow::tr("no plan has been timed"),
                           MainWindow::tr("Open a scan and sweep first")});
    return;
  }
  ReadOptions reading;
  reading.overrides = session.overrides();
  const ReconOptions options = window.parameters()->options();
  const std::string command = commandFor("baseline", *scan, reading.overrides, options,
                                         {"--plans", file.toStdString(), "--save", file.toStdString()});
  session.jobs().submit(
      JobKind{.name = "baseline"},
      MainWindow::tr("Baseline %1, %2 plans").arg(QFileInfo(file).completeBaseName()).arg(plans.size()),
      [&session, scan, plans, reading, options, command,
       file](const JobContext& context) -> JobQueue::Delivery {
        writeBaseline(
            measureBaseline(QFileInfo(file).completeBaseName().toStdString(), *scan, reading, options,
                            Direction::adjoint, plans, session.backends(), {}, command, context.progress),
            file.toStdString());
        return [&session, file] { Q_EMIT session.saved(file); };
      },
      QString::fromStdString(command));
}

void compareWithBaseline(MainWindow& window, const QString& file) {
  Session& session = window.session();
  const auto open = session.scan();
  const std::string command = "spokelab baseline --against " + shellWord(file.toStdString());
  session.jobs().submit(
      JobKind{.name = "compare baseline"},
      MainWindow::tr("Compare with %1").arg(QFileInfo(file).completeBaseName()),
      [&window, &session, open, command, file](const JobContext& context) -> JobQueue::Delivery {
        const Baseline before = readBaseline(file.toStdString());
        auto scan = open;
        if (!scan || transformFingerprint(*scan, before.options) != before.fingerprint)
          scan = readScan(before.scan, before.reading, context.progress.part(0, readShare));
        auto after = std::make_shared<Baseline>(measureAgain(before, *scan, session.backends(), {}, command,
                                                             context.progress.part(readShare, 1)));
        after->name = MainWindow::tr("this run").toStdString();
        const auto comparison = std::make_shared<const BaselineComparison>(compareBaselines(before, *after));
        return [&window, comparison, after] { showVerdicts(window, comparison, after); };
      },
      QString::fromStdString(command));
}

void addBaselines(MainWindow& window, QMenu& menu) {
  const auto add = [&](const QString& text, const char* name, const auto& triggered) {
    QAction* action = menu.addAction(text, &window, triggered);
    action->setObjectName(QString::fromUtf8(name));
  };
  menu.addSeparator();
  add(MainWindow::tr("Save timings as a &baseline…"), "action-save-baseline", [&window] {
    auto* dialog = fileDialog(window, MainWindow::tr("Save timings as a baseline"), "save-baseline", true,
                              baselineFilter());
    QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                     [&window](const QString& file) { saveBaseline(window, file); });
    dialog->open();
  });
  add(MainWindow::tr("Compare with a b&aseline…"), "action-compare-baseline", [&window] {
    auto* dialog = fileDialog(window, MainWindow::tr("Compare with a baseline"), "open-baseline", false,
                              baselineFilter());
    QObject::connect(dialog, &QFileDialog::fileSelected, &window,
                     [&window](const QString& file) { compareWithBaseline(window, file); });
    dialog->open();
  });
}

}  // namespace spokelab
