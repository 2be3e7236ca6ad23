// A box for numbers of any size: it shows a few significant digits where QDoubleSpinBox would show
// all zeros behind the point, and reads exponents.
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
