// A box for numbers of any size: it shows a few significant digits where QDoubleSpinBox would show
// all zeros behind the point, and reads exponents. setValue() rounds to decimals() and typed
// numbers do not, so set many decimals. minimum() and maximum() hold for both.
#pragma once

#include <QDoubleSpinBox>

namespace spokelab {

class NumberBox : public QDoubleSpinBox {
  Q_OBJECT

 public:
  using QDoubleSpinBox::QDoubleSpinBox;

  QString textFromValue(double value) const override;
  double valueFromText(const QString& text) const override;
  QValidator::State validate(QString& text, int& position) const override;
};

}  // namespace spokelab
