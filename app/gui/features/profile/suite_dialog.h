// Runs a suite of studies and sweeps (engine/profile/suite/suite.h) as a job of the window, case by
// case in a table. Cases that are finished in the folder are kept.
#pragma once

#include <QDialog>

class QCheckBox;
class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace spokelab {

class Session;
struct SuiteRow;

class SuiteDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SuiteDialog(Session& session, QWidget* parent = nullptr);

  void setSuite(const QString& nameOrFile);
  void setFolder(const QString& folder);
  void run();  // as the button does
  QTableWidget* table() const { return table_; }

 private:
  void chooseSuite();
  void chooseFolder();
  void addRow(const SuiteRow& row);
  void updateButtons();

  Session& session_;
  int job_ = 0;  // that runs for this dialog; 0: none
  QComboBox* suite_;
  QLineEdit* folder_;
  QCheckBox* again_;
  QLabel* summary_;
  QTableWidget* table_;
  QPushButton *run_, *stop_;
};

}  // namespace spokelab
