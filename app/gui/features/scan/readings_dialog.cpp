#include "app/gui/features/scan/readings_dialog.h"

#include <QCheckBox>
#include <QCoreApplication>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPointer>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "engine/recon/explore/doctor.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/read/remembered_choices.h"
#include "widgets/core/screen_size.h"
#include "widgets/recon/scan/reading_list.h"

namespace spokelab {
namespace {

constexpr JobKind readingsJob{.name = "readings", .urgent = true};

}  // namespace

ReadingsDialog::ReadingsDialog(Session& session, QWidget* parent) : QDialog(parent), session_(session) {
  constexpr QSize initialSize(760, 560);
  setObjectName(QStringLiteral("readings"));
  setWindowTitle(tr("Other readings"));
  resize(sizeOnScreen(*this, initialSize));
  status_ = new QLabel;
  status_->setWordWrap(true);
  list_ = new ReadingList;
  remember_ = new QCheckBox(tr("Remember the choice for this file"));
  remember_->setChecked(true);
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
  take_ = buttons->addButton(tr("Read this way"), QDialogButtonBox::AcceptRole);
  take_->setEnabled(false);
  forget_ = buttons->addButton(tr("Forget what was remembered"), QDialogButtonBox::ResetRole);
  forget_->setEnabled(false);
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(status_);
  layout->addWidget(list_, 1);
  layout->addWidget(remember_);
  layout->addWidget(buttons);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(take_, &QPushButton::clicked, this,
          [this] { choose(list_->selectedTopic(), list_->selectedChoice()); });
  connect(forget_, &QPushButton::clicked, this, &ReadingsDialog::forget);
  connect(list_, &QListWidget::itemSelectionChanged, this,
          [this] { take_->setEnabled(!list_->selectedTopic().isEmpty()); });
  connect(list_, &ReadingList::chosen, this, &ReadingsDialog::choose);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, &ReadingsDialog::tell);
  // These pictures belong to the scan that was open: another one closes the dialog.
  connect(&session_, &Session::scanOpened, this, &QDialog::reject);
}

void ReadingsDialog::look() {
  list_->setReadings({});
  const auto scan = session_.scan();
  if (!scan || scan->path.empty()) {
    status_->setText(tr("Open a file first: a scan that was made, not read, leaves nothing open."));
    remember_->setEnabled(false);
    return;
  }
  forget_->setEnabled(!remembered().empty());
  status_->setText(tr("Reading %1 in other ways …").arg(QString::fromStdString(scan->name)));
  ReadOptions options = session_.reading();
  options.choices = session_.choicesFile();
  const QPointer<ReadingsDialog> self(this);
  // Looked at on the window's thread only: the dialog may be gone by then.
  const auto show = [self](const Reading& reading) {
    QMetaObject::invokeMethod(
        QCoreApplication::instance(),
        [self, reading] {
          if (self) self->list_->addReading(reading);
        },
        Qt::QueuedConnection);
  };
  job_ = session_.jobs().submit(
      readingsJob, tr("Other readings of %1").arg(QString::fromStdString(scan->name)),
      [show, options,
       file = std::filesystem::path(scan->path)](const JobContext& context) -> JobQueue::Delivery {
        const auto backend = makeCpuBackend();
        (void)otherReadings(file, options, *backend, DoctorOptions(), context.progress, show);
        return {};
      });
}

void ReadingsDialog::tell(const JobState& state) {
  if (state.id != job_) return;
  if (state.status == JobStatus::done)
    status_->setText(
        tr("Low-resolution pictures of one slice. The first is the present reading; take another one if it "
           "looks right and the present one does not."));
  else if (state.status == JobStatus::cancelled)
    status_->setText(tr("Cancelled: these readings are not all."));
  else if (state.status == JobStatus::failed)
    status_->setText(state.what);
}

std::map<std::string, std::string> ReadingsDialog::remembered() const {
  const auto scan = session_.scan();
  if (!scan || scan->fingerprint.empty() || session_.choicesFile().empty()) return {};
  return RememberedChoices(session_.choicesFile()).find(scan->fingerprint);
}

void ReadingsDialog::keep(const std::map<std::string, std::string>& choices) {
  const auto scan = session_.scan();
  if (!scan || scan->fingerprint.empty() || session_.choicesFile().empty()) return;
  try {
    RememberedChoices(session_.choicesFile()).keep(scan->fingerprint, scan->name, choices);
  } catch (const Error& error) {
    Q_EMIT session_.failed(failureOf(error));
  }
}

void ReadingsDialog::choose(const QString& topic, const QString& choice) {
  if (topic.isEmpty() || !session_.scan()) return;
  if (remember_->isChecked()) {
    auto choices = remembered();
    for (const auto& [known, value] : session_.overrides()) choices[known] = value;
    choices[topic.toStdString()] = choice.toStdString();
    keep(choices);
  }
  accept();
  Q_EMIT decisionChosen(topic, choice);
}

void ReadingsDialog::forget() {
  keep({});
  accept();
  Q_EMIT readAgainRequested(QString::fromStdString(session_.scan()->path));
}

}  // namespace spokelab
