#include "widgets/recon/parameters/option_editor.h"

#include <algorithm>

#include <QCheckBox>
#include <QComboBox>
#include <QDropEvent>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QMimeData>
#include <QStyle>
#include <QToolButton>

#include "engine/recon/options/option_rules.h"
#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int settledDecimals = 3, buttonGap = 2;
const QString automaticWord = QStringLiteral("auto");
const QString trueWord = QStringLiteral("true"), falseWord = QStringLiteral("false");

QString rangeOf(const OptionSpec& spec) {
  const bool isNumber = spec.type == OptionType::number || spec.type == OptionType::integer;
  if (!isNumber || !(spec.maximum > spec.minimum)) return {};
  return QStringLiteral("%1 … %2%3")
      .arg(shortLabel(spec.minimum, 4), shortLabel(spec.maximum, 4),
           spec.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(spec.unit));
}

QString helpOf(const OptionSpec& spec) {
  QString help = QString::fromStdString(spec.help);
  if (const QString range = rangeOf(spec); !range.isEmpty())
    help += OptionEditor::tr(" Range %1.").arg(range);
  return help;
}

// Empty where it is not one file of this machine.
QString droppedFile(const QMimeData& data) {
  const QList<QUrl> urls = data.urls();
  return urls.size() == 1 ? urls.front().toLocalFile() : QString();
}

}  // namespace

OptionEditor::OptionEditor(const OptionSpec& spec, QWidget* parent) : QWidget(parent), spec_(spec) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  QWidget* editor = nullptr;
  if (!spec.choices.empty()) {  // also text with some choices that are always known
    box_ = new QComboBox;
    for (const auto& choice : spec.choices) {
      box_->addItem(QString::fromStdString(choice), QString::fromStdString(choice));
    }
    connect(box_, &QComboBox::activated, this, &OptionEditor::edited);
    editor = box_;
  } else if (spec.type == OptionType::flag) {
    check_ = new QCheckBox;
    connect(check_, &QCheckBox::clicked, this, &OptionEditor::edited);
    editor = check_;
  } else {
    line_ = new QLineEdit;
    connect(line_, &QLineEdit::textEdited, this, &OptionEditor::edited);
    line_->setPlaceholderText(spec.automatic ? automaticWord : QString::fromStdString(spec.empty));
    line_->setAcceptDrops(false);  // it would write a file's address; the row or the window takes it
    editor = line_;
  }
  editor->setAccessibleName(QString::fromStdString(spec.label));
  setFocusProxy(editor);
  layout->setSpacing(buttonGap);
  layout->addWidget(editor, 1);
  describe();
  if (!spec.takesFile) return;
  auto* browse = new QToolButton;
  browse->setText(QStringLiteral("…"));
  browse->setObjectName(QStringLiteral("browse-") + QString::fromStdString(spec.name));
  browse->setAccessibleName(tr("Browse for the file of %1").arg(QString::fromStdString(spec.label)));
  browse->setToolTip(tr("Choose a file, or drop one here"));
  connect(browse, &QToolButton::clicked, this, &OptionEditor::browseRequested);
  layout->addWidget(browse);
  setAcceptDrops(true);
}

void OptionEditor::dragEnterEvent(QDragEnterEvent* event) {
  if (!droppedFile(*event->mimeData()).isEmpty()) event->acceptProposedAction();
}

void OptionEditor::dropEvent(QDropEvent* event) {
  event->acceptProposedAction();
  setValue(droppedFile(*event->mimeData()));
  Q_EMIT edited();
}

QString OptionEditor::value() const {
  if (box_) return box_->currentData().toString();
  if (check_) return check_->isChecked() ? trueWord : falseWord;
  const QString text = line_->text().trimmed();
  return text.isEmpty() && spec_.automatic ? automaticWord : text;
}

void OptionEditor::setValue(const QString& value) {
  if (box_) {
    if (spec_.type == OptionType::text && !value.isEmpty() && box_->findData(value) < 0) addChoice(value);
    box_->setCurrentIndex(std::max(0, box_->findData(value)));
  } else if (check_) {
    check_->setChecked(value == trueWord || value == QStringLiteral("1") || value == QStringLiteral("yes") ||
                       value == QStringLiteral("on"));
  } else {
    line_->setText(spec_.automatic && value == automaticWord ? QString() : value);
  }
}

void OptionEditor::addChoice(const QString& choice) {
  if (box_ && box_->findData(choice) < 0) box_->addItem(choice, choice);
}

bool OptionEditor::isAutomatic() const {
  return value() == automaticWord;
}

void OptionEditor::setSettled(const QString& value) {
  const bool known = !value.isEmpty() && value != automaticWord;
  bool number = false;
  const double parsed = value.toDouble(&number);
  const QString shortened = number ? numberLabel(parsed, settledDecimals) : value;
  const QString text = known ? tr("auto: %1").arg(shortened) : automaticWord;
  if (box_) {
    const int automatic = box_->findData(automaticWord);
    if (automatic >= 0) box_->setItemText(automatic, text);
  } else if (line_ && spec_.automatic) {
    line_->setPlaceholderText(text);
  }
  setProperty("settled", known && isAutomatic());
}

void OptionEditor::setProblem(const QString& problem) {
  if (problem_ == problem) return;
  problem_ = problem;
  describe();
}

QString OptionEditor::rangeText() const {
  return rangeOf(spec_);
}

void OptionEditor::setIdle(const QString& why) {
  if (idle_ == why) return;
  idle_ = why;
  describe();
}

void OptionEditor::describe() {
  QStringList parts;
  for (const QString& part : {problem_, idle_, helpOf(spec_)})
    if (!part.isEmpty()) parts << (part.endsWith(QLatin1Char('.')) ? part : part + QLatin1Char('.'));
  QWidget* editor = focusProxy();
  const QString help = parts.join(QLatin1Char(' '));
  setToolTip(help);
  editor->setAccessibleDescription(help);
  const bool invalid = !problem_.isEmpty(), idle = !idle_.isEmpty();
  if (editor->property("invalid").toBool() == invalid && editor->property("idle").toBool() == idle) return;
  editor->setProperty("invalid", invalid);
  editor->setProperty("idle", idle);
  editor->style()->unpolish(editor);
  editor->style()->polish(editor);
}

}  // namespace spokelab
