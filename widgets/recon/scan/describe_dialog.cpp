#include "widgets/recon/scan/describe_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

#include "engine/core/error.h"
#include "widgets/core/screen_size.h"
#include "widgets/recon/scan/description_form.h"
#include "widgets/recon/scan/reading_list.h"

namespace spokelab {
namespace {

constexpr int askMs = 400;  // after the last change

}  // namespace

DescribeDialog::DescribeDialog(const QString& array, const ProposedDescription& proposal,
                               const std::map<std::string, ArrayHeader>& shapes, QWidget* parent)
    : QDialog(parent), folder_(proposal.description.folder), shapes_(shapes) {
  constexpr QSize usual(760, 680);
  setObjectName(QStringLiteral("describe"));
  setWindowTitle(tr("Describe %1").arg(QFileInfo(array).fileName()));
  resize(sizeOnScreen(*this, usual));
  auto* intro = new QLabel(
      tr("An array does not say what its axes are. They were guessed from sizes and names: check them."));
  intro->setWordWrap(true);
  QString notes = QStringLiteral("<ul>");
  for (const std::string& note : proposal.notes)
    notes += QStringLiteral("<li>%1</li>").arg(QString::fromStdString(note).toHtmlEscaped());
  auto* guessed = new QTextBrowser;
  guessed->setObjectName(QStringLiteral("notes"));
  guessed->setAccessibleName(tr("How it was guessed"));
  guessed->setHtml(notes + QStringLiteral("</ul>"));
  form_ = new DescriptionForm;
  form_->setDescription(proposal.description, shapes_);
  auto* page = new QWidget;
  auto* rows = new QVBoxLayout(page);
  rows->addWidget(form_);
  pictures_ = new QLabel;
  pictures_->setObjectName(QStringLiteral("picturesText"));
  pictures_->setWordWrap(true);
  rows->addWidget(pictures_);
  readings_ = new ReadingList;
  rows->addWidget(readings_, 1);
  editor_ = new QPlainTextEdit(QString::fromStdString(scanDescriptionText(proposal.description)));
  editor_->setAccessibleName(tr("Description of the scan"));
  editor_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  tabs_ = new QTabWidget;
  tabs_->addTab(page, tr("Form"));
  tabs_->addTab(editor_, tr("Text"));
  tabs_->addTab(guessed, tr("How it was guessed"));
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setProperty("role", "error");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  open_ = buttons->addButton(tr("Open"), QDialogButtonBox::AcceptRole);
  open_->setDefault(true);
  open_->setToolTip(tr("Keeps the description beside the arrays, and opens the scan"));
  save_ = buttons->addButton(tr("Save as…"), QDialogButtonBox::ActionRole);
  save_->setToolTip(tr("Keeps the description at another place, and opens the scan"));
  auto* image = buttons->addButton(tr("Open as an image"), QDialogButtonBox::ActionRole);
  connect(image, &QPushButton::clicked, this, [this] {
    Q_EMIT imageRequested();
    accept();
  });
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(intro);
  layout->addWidget(tabs_, 1);
  layout->addWidget(problem_);
  layout->addWidget(buttons);
  asking_.setSingleShot(true);
  asking_.setInterval(askMs);
  connect(&asking_, &QTimer::timeout, this, [this] {
    readings_->setReadings({});
    if (valid_) Q_EMIT picturesRequested(editor_->toPlainText());
  });
  connect(form_, &DescriptionForm::edited, this, &DescribeDialog::takeForm);
  connect(readings_, &ReadingList::chosen, this, &DescribeDialog::choose);
  connect(readings_, &QListWidget::itemClicked, readings_, &QListWidget::itemActivated);
  connect(editor_, &QPlainTextEdit::textChanged, this, [this] {
    if (const auto now = check()) form_->setDescription(*now, shapes_);
  });
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT openRequested(editor_->toPlainText());
    accept();
  });
  connect(save_, &QPushButton::clicked, this, [this] {
    Q_EMIT saveRequested(editor_->toPlainText());
    accept();
  });
  check();
}

void DescribeDialog::addReading(const Reading& reading) {
  readings_->addReading(reading);
}

void DescribeDialog::setPicturesText(const QString& text) {
  pictures_->setText(text);
}

void DescribeDialog::choose(const QString& topic, const QString& choice) {
  if (topic == QStringLiteral("array-axes")) form_->setAxes(parseReading(choice.toStdString()));
  if (topic == QStringLiteral("k-unit")) form_->setUnit(choice.toStdString());
}

void DescribeDialog::takeForm() {
  const QSignalBlocker quiet(editor_);
  editor_->setPlainText(QString::fromStdString(scanDescriptionText(form_->description())));
  check();
}

std::optional<ScanDescription> DescribeDialog::check() {
  std::optional<ScanDescription> now;
  QString why;
  try {
    now = parseScanDescription(editor_->toPlainText().toStdString(), folder_, "");
  } catch (const Error& error) {
    why = QString::fromStdString(error.reason() + ". " + error.remedy());
  }
  valid_ = now.has_value();
  problem_->setText(why);
  problem_->setVisible(!valid_);
  for (QPushButton* button : {open_, save_}) button->setEnabled(valid_);
  asking_.start();
  return now;
}

}  // namespace spokelab
