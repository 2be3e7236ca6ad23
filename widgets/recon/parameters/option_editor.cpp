#include "widgets/recon/parameters/option_editor.h"

#include <QCheckBox>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLineEdit>
#include <QStyle>

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int settledDecimals = 3;
const QString automaticWord = QStringLiteral("auto");
const QString trueWord = QStringLiteral("true"), falseWord = QStringLiteral("false");

QString helpOf(const OptionSpec& spec) {
  QString help = QString::fromStdString(spec.help);
  if ((spec.type == OptionType::number || spec.type == OptionType::integer) && spec.maximum > spec.minimum) {
    help += OptionEditor::tr(" Range %1 … %2%3.")
                .arg(shortLabel(spec.minimum, 4), shortLabel(spec.maximum, 4),
                     spec.unit.empty() ? QString() : QLatin1Char(' ') + QString::fromStdString(spec.unit));
  }
  return help;
}

}  // namespace

OptionEditor::OptionEditor(const OptionSpec& spec, QWidget* parent) : QWidget(parent), spec_(spec) {
  auto* layout = new QHBoxLayout(this);
  layout->setContentsMargins(0, 0, 0, 0);
  QWidget* editor = nullptr;
  if (spec.type == OptionType::choice) {
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
    editor = line_;
  }
  editor->setAccessibleName(QString::fromStdString(spec.label));
  setToolTip(helpOf(spec));
  setFocusProxy(editor);
  layout->addWidget(editor, 1);
}

QString OptionEditor::value() const {
  if (box_) return box_->currentData().toString();
  if (check_) return check_->isChecked() ? trueWord : falseWord;
  const QString text = line_->text().trimmed();
  return text.isEmpty() && spec_.automatic ? automaticWord : text;
}

void OptionEditor::setValue(const QString& value) {
  if (box_) {
    box_->setCurrentIndex(std::max(0, box_->findData(value)));
  } else if (check_) {
    check_->setChecked(value == trueWord || value == QStringLiteral("1") || value == QStringLiteral("yes") ||
                       value == QStringLiteral("on"));
  } else {
    line_->setText(spec_.automatic && value == automaticWord ? QString() : value);
  }
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
  setToolTip(problem.isEmpty() ? helpOf(spec_) : problem);
  QWidget* editor = focusProxy();
  if (editor->property("invalid").toBool() == !problem.isEmpty()) return;
  editor->setProperty("invalid", !problem.isEmpty());
  editor->style()->unpolish(editor);
  editor->style()->polish(editor);
}

}  // namespace spokelab
