#include "widgets/core/number_box.h"

#include "widgets/core/number_text.h"

namespace spokelab {
namespace {

constexpr int boxDigits = 4;

}  // namespace

QString NumberBox::textFromValue(double value) const {
  return shortLabel(value, boxDigits);
}

double NumberBox::valueFromText(const QString& text) const {
  return text.trimmed().toDouble();
}

QValidator::State NumberBox::validate(QString& text, int&) const {
  bool isNumber = false;
  const double value = text.trimmed().toDouble(&isNumber);
  if (isNumber)
    return value >= minimum() && value <= maximum() ? QValidator::Acceptable : QValidator::Intermediate;
  constexpr const char* letters = "0123456789.eE+- ";
  for (const QChar c : text)
    if (!QString::fromLatin1(letters).contains(c)) return QValidator::Invalid;
  return QValidator::Intermediate;
}

}  // namespace spokelab
