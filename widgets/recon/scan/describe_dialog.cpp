#include "widgets/recon/scan/describe_dialog.h"

#include <QDialogButtonBox>
#include <QFileInfo>
#include <QFontDatabase>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include "engine/core/error.h"

namespace spokelab {

DescribeDialog::DescribeDialog(const QString& array, const ProposedDescription& proposal, QWidget* parent)
    : QDialog(parent), folder_(proposal.description.folder) {
  constexpr QSize usual(640, 520);
  setObjectName(QStringLiteral("describe"));
  setWindowTitle(tr("Describe %1").arg(QFileInfo(array).fileName()));
  resize(usual);
  QString notes =
      tr("<p>An array does not say what its axes are. This was guessed from sizes and names; "
         "check it, and correct what is wrong.</p><ul>");
  for (const std::string& note : proposal.notes)
    notes += QStringLiteral("<li>%1</li>").arg(QString::fromStdString(note).toHtmlEscaped());
  auto* guessed = new QLabel(notes + QStringLiteral("</ul>"));
  guessed->setObjectName(QStringLiteral("notes"));
  guessed->setWordWrap(true);
  guessed->setTextInteractionFlags(Qt::TextSelectableByMouse);
  editor_ = new QPlainTextEdit(QString::fromStdString(scanDescriptionText(proposal.description)));
  editor_->setAccessibleName(tr("Description of the scan"));
  editor_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  editor_->setLineWrapMode(QPlainTextEdit::NoWrap);
  problem_ = new QLabel;
  problem_->setWordWrap(true);
  problem_->setProperty("role", "error");
  auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel);
  open_ = buttons->addButton(tr("Save and open…"), QDialogButtonBox::AcceptRole);
  open_->setDefault(true);
  auto* image = buttons->addButton(tr("Open as an image"), QDialogButtonBox::ActionRole);
  connect(image, &QPushButton::clicked, this, [this] {
    Q_EMIT imageRequested();
    accept();
  });
  auto* layout = new QVBoxLayout(this);
  layout->addWidget(guessed);
  layout->addWidget(editor_, 1);
  layout->addWidget(problem_);
  layout->addWidget(buttons);
  connect(editor_, &QPlainTextEdit::textChanged, this, &DescribeDialog::check);
  connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
  connect(buttons, &QDialogButtonBox::accepted, this, [this] {
    Q_EMIT openRequested(editor_->toPlainText());
    accept();
  });
  check();
}

void DescribeDialog::check() {
  QString why;
  try {
    (void)parseScanDescription(editor_->toPlainText().toStdString(), folder_, "");
  } catch (const Error& error) {
    why = QString::fromStdString(error.reason() + ". " + error.remedy());
  }
  valid_ = why.isEmpty();
  problem_->setText(why);
  problem_->setVisible(!valid_);
  open_->setEnabled(valid_);
}

}  // namespace spokelab
