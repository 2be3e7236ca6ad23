#include "widgets/profile/study_view.h"

#include <QComboBox>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/study/study_points.h"
#include "engine/profile/study/study_text.h"
#include "widgets/core/number_text.h"
#include "widgets/profile/study_chart.h"

namespace spokelab {
namespace {

constexpr int refreshMs = 200;          // ms
constexpr int usualHeightPixels = 120;  // pixels, of a fifth of chart and table
constexpr double milli = 1e-3;

template <class T>
QString textOf(const std::vector<T>& values) {
  QStringList list;
  for (const T& v : values) {
    if constexpr (std::is_same_v<T, std::string>)
      list << QString::fromStdString(v);
    else
      list << QString::number(v);
  }
  return list.join(QStringLiteral(", "));
}

template <class T>
std::vector<T> listOf(const QLineEdit& field) {
  std::vector<T> values;
  for (const QString& part : field.text().split(QLatin1Char(','), Qt::SkipEmptyParts)) {
    const QString word = part.trimmed();
    bool good = true;
    if constexpr (std::is_same_v<T, std::string>)
      values.push_back(word.toStdString());
    else if constexpr (std::is_same_v<T, int>)
      values.push_back(word.toInt(&good));
    else
      values.push_back(word.toDouble(&good));
    if (!good)
      throw Error(
          "Cannot run the study with " + field.accessibleName().toStdString() + " " + word.toStdString(),
          "it is not a number", "Write numbers with commas between them, or leave the field empty");
  }
  return values;
}

QString rowsText(std::size_t count) {
  return QString::fromStdString(countText(std::int64_t(count), "row"));
}

}  // namespace

StudyView::StudyView(QWidget* parent) : QWidget(parent) {
  auto* layout = new QVBoxLayout(this);
  auto* choice = new QHBoxLayout;
  study_ = new QComboBox;
  study_->setObjectName(QStringLiteral("study"));
  study_->setAccessibleName(tr("Study"));
  for (const StudyInfo& info : studies())
    study_->addItem(QStringLiteral("%1: %2 (%3)")
                        .arg(QString::fromStdString(info.name), QString::fromStdString(info.title),
                             QString::fromStdString(info.source)),
                    QString::fromStdString(info.name));
  run_ = new QPushButton(tr("&Run"));
  run_->setObjectName(QStringLiteral("study-run"));
  choice->addWidget(study_, 1);
  choice->addWidget(run_);
  layout->addLayout(choice);
  comparison_ = new QLabel;
  comparison_->setObjectName(QStringLiteral("study-comparison"));
  comparison_->setWordWrap(true);
  layout->addWidget(comparison_);
  auto* grid = new QGridLayout;
  sizes_ = addField(grid, 0, tr("Sizes N"), "study-sizes", tr("Image sizes N of N³"));
  accelerations_ = addField(grid, 1, tr("Accelerations R"), "study-accelerations", tr("1: fully sampled"));
  accuracies_ = addField(grid, 2, tr("Accuracies"), "study-accuracies", tr("Relative errors"));
  patterns_ = addField(grid, 3, tr("Patterns"), "study-patterns", textOf(studyPatterns()));
  alphas_ = addField(grid, 4, tr("Ratios α"), "study-alphas",
                     tr("Oversampling ratios, several where the study compares them"));
  threads_ = addField(grid, 5, tr("Threads"), "study-threads", tr("Only for studies that vary them"));
  layout->addLayout(grid);
  auto* row = new QHBoxLayout;
  panels_ = new QComboBox;
  panels_->setObjectName(QStringLiteral("study-panel"));
  panels_->setAccessibleName(tr("Panel of the chart"));
  panels_->setSizeAdjustPolicy(QComboBox::AdjustToContents);
  status_ = new QLabel;
  csv_ = new QPushButton(tr("Export &CSV…"));
  json_ = new QPushButton(tr("Export &JSON…"));
  report_ = new QPushButton(tr("Re&port…"));
  report_->setObjectName(QStringLiteral("study-report"));
  report_->setToolTip(tr("Figures, claims and numbers as one page"));
  row->addWidget(panels_);
  row->addWidget(status_, 1);
  row->addWidget(csv_);
  row->addWidget(json_);
  row->addWidget(report_);
  layout->addLayout(row);
  chart_ = new StudyChart;
  chart_->setAccessibleName(tr("Chart of the study"));
  table_ = new QTableWidget(0, 7);
  table_->setAccessibleName(tr("Numbers of the study"));
  table_->setHorizontalHeaderLabels({tr("Panel"), tr("Line"), tr("x"), tr("y"), tr("Time / ms"),
                                     tr("Set-up / ms"), tr("Plan, or why not")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->horizontalHeader()->setStretchLastSection(true);
  auto* both = new QSplitter(Qt::Vertical);
  both->addWidget(chart_);
  both->addWidget(table_);
  both->setStretchFactor(0, 3);
  both->setStretchFactor(1, 2);
  both->setSizes({3 * usualHeightPixels, 2 * usualHeightPixels});
  layout->addWidget(both, 1);
  timer_.setSingleShot(true);
  timer_.setInterval(refreshMs);
  connect(&timer_, &QTimer::timeout, this, &StudyView::refresh);
  connect(study_, &QComboBox::currentIndexChanged, this, &StudyView::showDefaults);
  connect(panels_, &QComboBox::currentIndexChanged, this,
          [this] { chart_->setRows(result_.axes, result_.rows, panels_->currentText().toStdString()); });
  connect(run_, &QPushButton::clicked, this,
          [this] { running_ ? Q_EMIT cancelRequested() : Q_EMIT runRequested(); });
  connect(csv_, &QPushButton::clicked, this, [this] { Q_EMIT exportRequested(QStringLiteral("csv")); });
  connect(json_, &QPushButton::clicked, this, [this] { Q_EMIT exportRequested(QStringLiteral("json")); });
  connect(report_, &QPushButton::clicked, this, [this] { Q_EMIT exportRequested(QStringLiteral("html")); });
  connect(chart_, &Chart::candidateSelected, table_, &QTableWidget::selectRow);
  showDefaults();
  setRunning(false);
}

QLineEdit* StudyView::addField(QGridLayout* grid, int column, const QString& label, const char* name,
                               const QString& help) {
  auto* field = new QLineEdit;
  field->setObjectName(QString::fromLatin1(name));
  field->setAccessibleName(label);
  field->setToolTip(tr("%1; with commas between them. Empty: the paper's").arg(help));
  auto* caption = new QLabel(label);
  caption->setBuddy(field);
  grid->addWidget(caption, 0, column);
  grid->addWidget(field, 1, column);
  return field;
}

void StudyView::showDefaults() {
  const std::string name = study_->currentData().toString().toStdString();
  for (const StudyInfo& info : studies())
    if (info.name == name) {
      comparison_->setText(tr("<b>The paper:</b> %1. <b>Not:</b> %2.")
                               .arg(QString::fromStdString(info.same).toHtmlEscaped(),
                                    QString::fromStdString(info.differs).toHtmlEscaped()));
      const std::pair<QLineEdit*, bool> fields[] = {{accelerations_, info.uses.accelerations},
                                                    {accuracies_, info.uses.accuracies},
                                                    {patterns_, info.uses.patterns},
                                                    {alphas_, info.uses.alphas},
                                                    {threads_, info.uses.threads}};
      for (const auto& [field, used] : fields) {
        field->setEnabled(used);
        if (!used) field->clear();
      }
    }
  const StudyRequest paper = studyDefaults(name);
  sizes_->setPlaceholderText(textOf(paper.sizes));
  const bool bySize = paper.accelerations.empty() && !paper.patterns.empty();
  accelerations_->setPlaceholderText(bySize ? tr("the paper's for each size") : textOf(paper.accelerations));
  accuracies_->setPlaceholderText(textOf(paper.accuracies));
  patterns_->setPlaceholderText(textOf(paper.patterns));
  alphas_->setPlaceholderText(paper.alphas.empty() ? tr("tuned") : textOf(paper.alphas));
  threads_->setPlaceholderText(textOf(paper.threads));
}

StudyRequest StudyView::request() const {
  StudyRequest request;
  request.study = study_->currentData().toString().toStdString();
  request.sizes = listOf<int>(*sizes_);
  request.accelerations = listOf<double>(*accelerations_);
  request.accuracies = listOf<double>(*accuracies_);
  request.patterns = listOf<std::string>(*patterns_);
  request.alphas = listOf<double>(*alphas_);
  request.threads = listOf<int>(*threads_);
  return request;
}

void StudyView::setRequest(const StudyRequest& request) {
  study_->setCurrentIndex(std::max(0, study_->findData(QString::fromStdString(request.study))));
  sizes_->setText(textOf(request.sizes));
  accelerations_->setText(textOf(request.accelerations));
  accuracies_->setText(textOf(request.accuracies));
  patterns_->setText(textOf(request.patterns));
  alphas_->setText(textOf(request.alphas));
  threads_->setText(textOf(request.threads));
}

int StudyView::start() {
  result_ = {};
  result_.request = request();
  for (const StudyInfo& info : studies())
    if (info.name == result_.request.study) {
      result_.title = info.title;
      result_.source = info.source;
    }
  tabled_ = 0;
  table_->setRowCount(0);
  panels_->clear();
  setRunning(true);
  status_->setText(tr("Running…"));
  refresh();
  return ++runs_;
}

void StudyView::addRow(int run, const StudyRow& row, const StudyAxes& axes) {
  if (!running_ || run != runs_) return;
  result_.axes = axes;
  result_.rows.push_back(row);
  if (!timer_.isActive()) timer_.start();
}

void StudyView::finish(const StudyResult& result) {
  result_ = result;
  setRunning(false);
  refresh();
  const QString busy =
      result.load.isBusy() ? tr("; %1").arg(QString::fromStdString(loadText(result.load))) : QString();
  status_->setText((result.cancelled ? tr("Stopped: %1").arg(rowsText(result.rows.size()))
                                     : rowsText(result.rows.size())) +
                   busy);
  status_->setToolTip(tr("This run: %1").arg(QString::fromStdString(thisRunText(result))));
}

void StudyView::stop(const QString& why) {
  result_.cancelled = true;
  setRunning(false);
  refresh();
  status_->setText(why);
}

void StudyView::setRunning(bool running) {
  running_ = running;
  run_->setText(running ? tr("&Stop") : tr("&Run"));
  csv_->setEnabled(!running && !result_.rows.empty());
  json_->setEnabled(!running && !result_.rows.empty());
  report_->setEnabled(!running && !result_.rows.empty());
}

void StudyView::refresh() {
  for (; std::size_t(tabled_) < result_.rows.size(); ++tabled_) {
    const StudyRow& r = result_.rows[std::size_t(tabled_)];
    const QString panel = QString::fromStdString(r.panel);
    if (!panel.isEmpty() && panels_->findText(panel) < 0) panels_->addItem(panel);
    const bool good = r.refused.empty(), named = !result_.axes.categories.empty();
    const QString x = !good   ? QString()
                      : named ? QString::fromStdString(result_.axes.categories[std::size_t(r.x)])
                              : shortLabel(r.x, 5);
    const QString plan = !good              ? QString::fromStdString(r.refused)
                         : isConvolution(r) ? QString::fromStdString(planText(r))
                                            : tr("α %1, W %2")
                                                  .arg(shortLabel(r.candidate.options.alpha, 4))
                                                  .arg(shortLabel(r.candidate.options.width, 4));
    const QString cells[] = {panel,
                             QString::fromStdString(r.series.empty() ? r.variant : r.series),
                             x,
                             good ? shortLabel(r.y, 5) : QString(),
                             r.seconds > 0 ? shortLabel(r.seconds / milli, 4) : QString(),
                             r.setUpSeconds > 0 ? shortLabel(r.setUpSeconds / milli, 4) : QString(),
                             plan};
    table_->insertRow(tabled_);
    for (int column = 0; column < table_->columnCount(); ++column)
      table_->setItem(tabled_, column, new QTableWidgetItem(cells[column]));
  }
  chart_->setPrinted(printedNumbers(result_));
  if (running_) status_->setText(tr("Running: %1").arg(rowsText(result_.rows.size())));
  chart_->setRows(result_.axes, result_.rows, panels_->currentText().toStdString());
}

}  // namespace spokelab
