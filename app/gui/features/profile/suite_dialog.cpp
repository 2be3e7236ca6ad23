#include "app/gui/features/profile/suite_dialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPointer>
#include <QPushButton>
#include <QTableWidget>

#include "app/gui/session/session.h"
#include "engine/core/text.h"
#include "engine/profile/suite/suite.h"
#include "engine/profile/suite/suite_run.h"
#include "widgets/core/screen_size.h"
#include "widgets/core/toned_item.h"

namespace spokelab {
namespace {

constexpr JobKind suiteJob{.name = "suite"};
constexpr QSize initialSuiteSize(820, 520);
enum SuiteColumn { stateColumn, caseColumn, resultsColumn, secondsColumn, whyColumn, suiteColumns };

QString stateText(SuiteState state) {
  switch (state) {
    case SuiteState::ran:
      return SuiteDialog::tr("ran");
    case SuiteState::kept:
      return SuiteDialog::tr("kept");
    case SuiteState::failed:
      return SuiteDialog::tr("failed");
    case SuiteState::crashed:
      return SuiteDialog::tr("ended the program");
  }
  return {};
}

QHBoxLayout* beside(QWidget* field, QPushButton* button) {
  auto* row = new QHBoxLayout;
  row->addWidget(field, 1);
  row->addWidget(button);
  return row;
}

QLabel* labelOf(const QString& text, QWidget* field) {
  auto* label = new QLabel(text);
  label->setBuddy(field);
  return label;
}

}  // namespace

SuiteDialog::SuiteDialog(Session& session, QWidget* parent) : QDialog(parent), session_(session) {
  setObjectName(QStringLiteral("suite"));
  setWindowTitle(tr("Run a suite"));
  suite_ = new QComboBox;
  suite_->setObjectName(QStringLiteral("suiteChoice"));
  suite_->setAccessibleName(tr("Suite"));
  suite_->setEditable(true);
  for (const std::string& name : suiteNames()) suite_->addItem(QString::fromStdString(name));
  suite_->setCurrentText(QStringLiteral("quick"));
  folder_ = new QLineEdit;
  folder_->setObjectName(QStringLiteral("suiteFolder"));
  folder_->setPlaceholderText(tr("where its results are kept"));
  again_ = new QCheckBox(tr("Run again what is finished there"));
  again_->setObjectName(QStringLiteral("suiteAgain"));
  auto* file = new QPushButton(tr("File…"));
  auto* folder = new QPushButton(tr("Folder…"));
  auto* form = new QFormLayout;
  form->addRow(labelOf(tr("&Suite"), suite_), beside(suite_, file));
  form->addRow(labelOf(tr("&Results"), folder_), beside(folder_, folder));
  form->addRow(QString(), again_);
  summary_ = new QLabel(tr("A suite runs for minutes to hours. It can be stopped and continued later."));
  summary_->setObjectName(QStringLiteral("suiteSummary"));
  summary_->setWordWrap(true);
  table_ = new QTableWidget(0, suiteColumns);
  table_->setObjectName(QStringLiteral("suiteTable"));
  table_->setAccessibleName(tr("Cases of the suite"));
  table_->setHorizontalHeaderLabels({tr("State"), tr("Case"), tr("Results"), tr("Time"), tr("Why")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(whyColumn, QHeaderView::Stretch);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  run_ = buttons->addButton(tr("Run"), QDialogButtonBox::ActionRole);
  run_->setObjectName(QStringLiteral("suiteRun"));
  stop_ = buttons->addButton(tr("Stop"), QDialogButtonBox::ActionRole);
  stop_->setObjectName(QStringLiteral("suiteStop"));
  auto* column = new QVBoxLayout(this);
  column->addLayout(form);
  column->addWidget(table_, 1);
  column->addWidget(summary_);
  column->addWidget(buttons);
  connect(file, &QPushButton::clicked, this, &SuiteDialog::chooseSuite);
  connect(folder, &QPushButton::clicked, this, &SuiteDialog::chooseFolder);
  connect(run_, &QPushButton::clicked, this, &SuiteDialog::run);
  connect(stop_, &QPushButton::clicked, this, [this] { session_.jobs().cancel(job_); });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(folder_, &QLineEdit::textChanged, this, &SuiteDialog::updateButtons);
  connect(suite_, &QComboBox::currentTextChanged, this, &SuiteDialog::updateButtons);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, [this](const JobState& state) {
    const bool ended = state.status == JobStatus::done || state.status == JobStatus::failed ||
                       state.status == JobStatus::cancelled;
    if (state.id != job_ || !ended) return;
    job_ = 0;
    if (state.status != JobStatus::done)
      summary_->setText(tr("It was stopped. What is finished is kept; Run continues from there."));
    updateButtons();
  });
  updateButtons();
  resize(sizeOnScreen(*this, initialSuiteSize));
}

void SuiteDialog::setSuite(const QString& nameOrFile) {
  suite_->setCurrentText(nameOrFile);
}

void SuiteDialog::setFolder(const QString& folder) {
  folder_->setText(folder);
}

void SuiteDialog::run() {
  if (!run_->isEnabled()) return;
  const std::string suite = suite_->currentText().toStdString(), folder = folder_->text().toStdString();
  const bool again = again_->isChecked();
  const std::string command =
      "spokelab suite " + shellWord(suite) + " -o " + shellWord(folder) + (again ? " --again" : "");
  table_->setRowCount(0);
  summary_->setText(tr("It runs; the list of jobs shows how far it is."));
  const QPointer<SuiteDialog> self(this);
  job_ = session_.jobs().submit(
      suiteJob, tr("Suite %1").arg(suite_->currentText()),
      [self, suite, folder, again, command,
       backends = session_.backends()](const JobContext& context) -> JobQueue::Delivery {
        const SuiteResult result =
            runSuite(suiteFrom(suite, context.progress), folder, backends, again, command, context.progress,
                     // Called on the worker, and handed over to the dialog's thread.
                     [self](const SuiteRow& row) {
                       QMetaObject::invokeMethod(qApp, [self, row] {
                         if (self) self->addRow(row);
                       });
                     });
        if (result.cancelled) throw Cancelled{};
        return [self, result] {
          if (!self) return;
          int bad = 0;
          for (const SuiteRow& row : result.rows)
            bad += row.state == SuiteState::failed || row.state == SuiteState::crashed;
          self->summary_->setText(
              tr("%1 cases are finished, %2 of them failed. results.csv and results.json in "
                 "the folder hold all that they found.")
                  .arg(result.rows.size())
                  .arg(bad));
        };
      },
      QString::fromStdString(command));
  updateButtons();
}

void SuiteDialog::chooseSuite() {
  auto* dialog = new QFileDialog(this, tr("A suite"), QString(), tr("Suites (*.json)"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setFileMode(QFileDialog::ExistingFile);
  connect(dialog, &QFileDialog::fileSelected, this, &SuiteDialog::setSuite);
  dialog->open();
}

void SuiteDialog::chooseFolder() {
  auto* dialog = new QFileDialog(this, tr("Folder of the results"));
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setAcceptMode(QFileDialog::AcceptSave);
  dialog->setLabelText(QFileDialog::Accept, tr("Choose"));
  connect(dialog, &QFileDialog::fileSelected, this, &SuiteDialog::setFolder);
  dialog->open();
}

void SuiteDialog::addRow(const SuiteRow& row) {
  const bool bad = row.state == SuiteState::failed || row.state == SuiteState::crashed;
  const QString cells[] = {stateText(row.state), QString::fromStdString(row.name),
                           row.results > 0 ? QString::number(row.results) : QString(),
                           row.seconds > 0 ? tr("%1 s").arg(row.seconds, 0, 'g', 3) : QString(),
                           QString::fromStdString(row.why)};
  const int at = table_->rowCount();
  table_->insertRow(at);
  const Tone tone = bad ? Tone::bad : row.state == SuiteState::kept ? Tone::muted : Tone::plain;
  for (int column = 0; column < suiteColumns; ++column)
    table_->setItem(at, column, new TonedItem(cells[column], tone));
  table_->scrollToBottom();
}

void SuiteDialog::updateButtons() {
  run_->setEnabled(job_ == 0 && !folder_->text().isEmpty() && !suite_->currentText().isEmpty());
  stop_->setEnabled(job_ != 0);
}

}  // namespace spokelab
