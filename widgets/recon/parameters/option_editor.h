// The editor of one option of the table: a line for numbers and text, a list for choices, a box for
// flags. Values go in and out as the strings that setOption() takes.
#pragma once

#include <QWidget>

#include "engine/recon/options/options.h"

class QCheckBox;
class QComboBox;
class QLineEdit;

namespace spokelab {

class OptionEditor : public QWidget {
  Q_OBJECT

 public:
  explicit OptionEditor(const OptionSpec& spec, QWidget* parent = nullptr);

  const OptionSpec& spec() const { return spec_; }
  QString value() const;
  void setValue(const QString& value);
  // The value chosen for an automatic option, shown beside "auto"; empty: not known.
  void setSettled(const QString& value);
  // Empty: the value is fine. Else why it is not.
  void setProblem(const QString& problem);

 Q_SIGNALS:
  void edited();

 private:
  bool isAutomatic() const;

  OptionSpec spec_;
  QLineEdit* line_ = nullptr;
  QComboBox* box_ = nullptr;
  QCheckBox* check_ = nullptr;
};

}  // namespace spokelab
