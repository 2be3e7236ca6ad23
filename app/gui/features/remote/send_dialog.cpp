#include "app/gui/features/remote/send_dialog.h"

#include <QComboBox>
#include <QDialogButtonBox>
#include <QFileDialog>
#include <QFormLayout>
#include <QGroupBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QRadioButton>
#include <QTableWidget>

#include <algorithm>

#include "app/gui/features/remote/remote_feature.h"
#include "app/gui/features/views.h"
#include "app/gui/session/session.h"
#include "engine/profile/suite/suite.h"
#include "widgets/core/screen_size.h"
#include "widgets/core/toned_item.h"

namespace spokelab {
namespace {

constexpr QSize initialSize(820, 560);
constexpr int summaryLines = 3;
enum Column { stateColumn, machineColumn, begunColumn, commandColumn, columns };

template <class Field>
Field* named(Field* field, const char* name, const QString& accessible) {
  field->setObjectName(QString::fromUtf8(name));
  field->setAccessibleName(accessible);
  return field;
}

QHBoxLayout* inRow(std::initializer_list<QWidget*> widgets) {
  auto* row = new QHBoxLayout;
  for (QWidget* widget : widgets) row->addWidget(widget, qobject_cast<QPushButton*>(widget) ? 0 : 1);
  return row;
}

// "2026-11-21T20:59:46Z" as "2026-11-21 20:59".
QString timeText(const std::string& time) {
  constexpr int toMinutes = 16;
  return QString::fromStdString(time).left(toMinutes).replace(QLatin1Char('T'), QLatin1Char(' '));
}

// Behind the first cell of a row.
enum Role { idRole = Qt::UserRole, followedRole };

}  // namespace

SendDialog::SendDialog(RemoteFeature& remote, Session& session, QWidget* parent)
    : QDialog(parent), remote_(remote), session_(session) {
  setObjectName(QStringLiteral("send"));
  setWindowTitle(tr("Send to a machine"));
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  send_ = buttons->addButton(tr("Send"), QDialogButtonBox::ActionRole);
  send_->setObjectName(QStringLiteral("sendNow"));
  send_->setDefault(true);
  auto* column = new QVBoxLayout(this);
  column->addWidget(makeForm());
  column->addWidget(makeJobs(), 1);
  summary_ = new QLabel;
  summary_->setObjectName(QStringLiteral("sendSummary"));
  summary_->setWordWrap(true);
  summary_->setAlignment(Qt::AlignLeft | Qt::AlignTop);
  summary_->setMinimumHeight(summaryLines * summary_->fontMetrics().lineSpacing());
  column->addWidget(summary_);
  column->addWidget(buttons);
  connect(send_, &QPushButton::clicked, this, &SendDialog::send);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
  connect(&remote_, &RemoteFeature::sentJobsChanged, this, &SendDialog::fillTable);
  connect(&session_, &Session::scanOpened, this, &SendDialog::updateButtons);
  // The banner of the window may lie behind the dialog.
  connect(&session_, &Session::failed, this, [this](const Failure& failure) {
    summary_->setText(QStringLiteral("%1: %2. %3").arg(failure.summary, failure.reason, failure.remedy));
  });
  resize(sizeOnScreen(*this, initialSize));
}

QWidget* SendDialog::makeForm() {
  auto* place = new QWidget;
  host_ = named(new QComboBox, "sendHost", tr("Machine"));
  host_->setEditable(true);
  host_->setToolTip(tr("As for ssh: its name or USER@NAME, by your own configuration of ssh"));
  program_ = named(new QLineEdit, "sendProgram", tr("Program there"));
  program_->setToolTip(tr("The command line's name there, or its whole path"));
  reconstruction_ = named(new QRadioButton, "sendReconstruction", tr("Reconstruct the open scan"));
  reconstruction_->setChecked(true);
  ofSuite_ = named(new QRadioButton(tr("&Suite")), "sendOfSuite", tr("Run a suite"));
  suite_ = named(new QComboBox, "sendSuite", tr("Suite"));
  suite_->setEditable(true);
  for (const std::string& name : suiteNames()) suite_->addItem(QString::fromStdString(name));
  folder_ = named(new QLineEdit, "sendFolder", tr("Folder of the suite's results"));
  folder_->setPlaceholderText(tr("where results.json and results.csv come to, here"));
  auto* file = new QPushButton(tr("File…"));
  auto* folder = new QPushButton(tr("Folder…"));
  auto* form = new QFormLayout(place);
  form->setContentsMargins(0, 0, 0, 0);
  form->addRow(tr("&Machine"), host_);
  form->addRow(tr("&Program there"), program_);
  form->addRow(reconstruction_);
  form->addRow(ofSuite_, inRow({suite_, file}));
  auto* results = new QLabel(tr("Res&ults"));
  results->setBuddy(folder_);
  form->addRow(results, inRow({folder_, folder}));
  connect(file, &QPushButton::clicked, this, [this] {
    auto* dialog = dialogToOpen(this, tr("A suite"), "suite-to-send", {}, tr("Suites (*.json)"));
    connect(dialog, &QFileDialog::fileSelected, suite_, &QComboBox::setCurrentText);
    dialog->open();
  });
  connect(folder, &QPushButton::clicked, this, [this] {
    auto* dialog = new QFileDialog(this, tr("Folder of the results"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::Directory);
    connect(dialog, &QFileDialog::fileSelected, folder_, &QLineEdit::setText);
    dialog->open();
  });
  connect(ofSuite_, &QRadioButton::toggled, this, &SendDialog::updateButtons);
  for (QComboBox* box : {host_, suite_})
    connect(box, &QComboBox::currentTextChanged, this, &SendDialog::updateButtons);
  for (QLineEdit* line : {program_, folder_})
    connect(line, &QLineEdit::textChanged, this, &SendDialog::updateButtons);
  for (QWidget* field : {static_cast<QWidget*>(suite_), static_cast<QWidget*>(file),
                         static_cast<QWidget*>(folder_), static_cast<QWidget*>(folder)}) {
    field->setEnabled(false);
    connect(ofSuite_, &QRadioButton::toggled, field, &QWidget::setEnabled);
  }
  return place;
}

QWidget* SendDialog::makeJobs() {
  auto* group = new QGroupBox(tr("Jobs that have not come back"));
  table_ = named(new QTableWidget(0, columns), "sendTable", tr("Jobs that have not come back"));
  table_->setHorizontalHeaderLabels({tr("State"), tr("Machine"), tr("Begun (UTC)"), tr("Command")});
  table_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  table_->setSelectionBehavior(QAbstractItemView::SelectRows);
  table_->setSelectionMode(QAbstractItemView::SingleSelection);
  table_->verticalHeader()->hide();
  table_->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
  table_->horizontalHeader()->setSectionResizeMode(commandColumn, QHeaderView::Stretch);
  const auto button = [](const QString& text, const char* name, const QString& tip) {
    auto* made = named(new QPushButton(text), name, text);
    made->setToolTip(tip);
    made->setAutoDefault(false);
    return made;
  };
  fetch_ = button(tr("Fetch"), "sendFetch", tr("Wait for it and take its results"));
  end_ = button(tr("End"), "sendEnd", tr("End it there, without results"));
  forget_ = button(tr("Forget"), "sendForget", tr("Take it off this list. It continues there"));
  auto* row = new QHBoxLayout;
  for (QPushButton* one : {fetch_, end_, forget_}) row->addWidget(one);
  row->addStretch(1);
  auto* column = new QVBoxLayout(group);
  column->addWidget(table_, 1);
  column->addLayout(row);
  connect(fetch_, &QPushButton::clicked, this,
          [this] { withChosen([this](const cli::RemoteRecord& job) { remote_.fetch(job); }); });
  connect(end_, &QPushButton::clicked, this,
          [this] { withChosen([this](const cli::RemoteRecord& job) { remote_.end(job.host, job.id); }); });
  connect(forget_, &QPushButton::clicked, this,
          [this] { withChosen([this](const cli::RemoteRecord& job) { remote_.forget(job.id); }); });
  connect(table_, &QTableWidget::itemSelectionChanged, this, &SendDialog::updateButtons);
  return group;
}

void SendDialog::refresh() {
  const QString host = host_->currentText().isEmpty() ? remote_.lastTarget().host : host_->currentText();
  host_->clear();
  host_->addItems(remote_.hosts());
  host_->setCurrentText(host);
  if (program_->text().isEmpty()) program_->setText(remote_.lastTarget().program);
  summary_->setText(
      tr("The machine has the command line of this version, and your own ssh reaches it without a "
         "question. Files go there and results come back; when the connection is lost or the "
         "window closed, the job continues there."));
  fillTable();
}

void SendDialog::setMachine(const QString& host, const QString& program) {
  host_->setCurrentText(host);
  program_->setText(program);
}

void SendDialog::setSuite(const QString& nameOrFile, const QString& folder) {
  ofSuite_->setChecked(true);
  suite_->setCurrentText(nameOrFile);
  folder_->setText(folder);
}

void SendDialog::send() {
  const RemoteFeature::Target target{host_->currentText().trimmed(), program_->text().trimmed()};
  const bool sent = reconstruction_->isChecked()
                        ? remote_.sendReconstruction(target)
                        : remote_.sendSuite(target, suite_->currentText(), folder_->text());
  if (sent)
    summary_->setText(tr("It is on its way to %1; the list of jobs shows how far it is.").arg(target.host));
}

void SendDialog::fillTable() {
  const int before = chosen();
  const auto jobs = remote_.sentJobs();
  table_->setRowCount(int(jobs.size()));
  for (int row = 0; row < table_->rowCount(); ++row) {
    const auto& [record, isFollowed] = jobs[std::size_t(row)];
    const QString cells[] = {isFollowed ? tr("waited for") : tr("to be fetched"),
                             QString::fromStdString(record.host), timeText(record.begun),
                             QString::fromStdString(shownCommand(record))};
    for (int column = 0; column < columns; ++column)
      table_->setItem(row, column, new TonedItem(cells[column], isFollowed ? Tone::muted : Tone::plain));
    table_->item(row, stateColumn)->setData(idRole, QString::fromStdString(record.id));
    table_->item(row, stateColumn)->setData(followedRole, isFollowed);
  }
  if (table_->rowCount() > 0) table_->selectRow(std::clamp(before, 0, table_->rowCount() - 1));
  updateButtons();
}

int SendDialog::chosen() const {
  const auto rows = table_->selectionModel()->selectedRows();
  return rows.isEmpty() ? -1 : rows.front().row();
}

// The command line may have fetched it meanwhile.
void SendDialog::withChosen(const std::function<void(const cli::RemoteRecord&)>& act) {
  const int row = chosen();
  if (row < 0) return;
  const std::string id = table_->item(row, stateColumn)->data(idRole).toString().toStdString();
  for (const RemoteFeature::SentJob& job : remote_.sentJobs())
    if (job.record.id == id) return act(job.record);
  fillTable();
}

void SendDialog::updateButtons() {
  const auto scan = session_.scan();
  reconstruction_->setText(
      scan ? tr("&Reconstruct %1 with the parameters shown").arg(QString::fromStdString(scan->name))
           : tr("Reconstruct a scan (none is open)"));
  const bool whole = reconstruction_->isChecked()
                         ? scan != nullptr
                         : !suite_->currentText().isEmpty() && !folder_->text().isEmpty();
  send_->setEnabled(whole && !host_->currentText().trimmed().isEmpty() &&
                    !program_->text().trimmed().isEmpty());
  const int row = chosen();
  const QTableWidgetItem* first = row < 0 ? nullptr : table_->item(row, stateColumn);
  const bool waits = first && !first->data(followedRole).toBool();
  for (QPushButton* button : {fetch_, end_, forget_}) button->setEnabled(waits);
}

}  // namespace spokelab
