// The editor of one option of the table: a line for numbers and text, a list for choices, a box for
// flags. Values go in and out as the strings that setOption() takes. One that names a file has a
// button to browse, and takes a file that is dropped on it.
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
  // A further choice of a list, once.
  void addChoice(const QString& choice);
  // The value chosen for an automatic option, shown beside "auto"; empty: not known.
  void setSettled(const QString& value);
  // Empty: the value is fine. Else why it is not.
  void setProblem(const QString& problem);
  const QString& problem() const { return problem_; }
  QString rangeText() const;  // "0 … 1 ms"; empty: it has none
  // Empty: the option acts. Else why it does nothing; it can be set all the same.
  void setIdle(const QString& why);

 Q_SIGNALS:
  void edited();
  void browseRequested();

 protected:
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  bool isAutomatic() const;
  void describe();  // the tool tip, and what a screen reader says

  OptionSpec spec_;
  QString problem_, idle_;
  QLineEdit* line_ = nullptr;
  QComboBox* box_ = nullptr;
  QCheckBox* check_ = nullptr;
};

}  // namespace spokelab
