// Sends a reconstruction or a suite to a machine that ssh reaches, and lists the sent jobs whose
// outputs have not been fetched yet.
#pragma once

#include <QDialog>

#include <functional>

class QComboBox;
class QLabel;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QTableWidget;

namespace spokelab {

namespace cli {
struct RemoteRecord;
}
class RemoteFeature;
class Session;

class SendDialog : public QDialog {
  Q_OBJECT

 public:
  // Both outlive the dialog.
  SendDialog(RemoteFeature& remote, Session& session, QWidget* parent = nullptr);

  void refresh();  // the machines, the open scan, the jobs
  void setMachine(const QString& host, const QString& program);
  void setSuite(const QString& nameOrFile, const QString& folder);  // and chooses it
  QTableWidget* table() const { return table_; }

 private:
  QWidget* makeForm();
  QWidget* makeJobs();
  void send();
  void fillTable();
  void updateButtons();
  int chosen() const;  // row of the table; -1: none
  void withChosen(const std::function<void(const cli::RemoteRecord&)>& act);

  RemoteFeature& remote_;
  Session& session_;
  QComboBox *host_, *suite_;
  QLineEdit *program_, *folder_;
  QRadioButton *reconstruction_, *ofSuite_;
  QLabel* summary_;
  QTableWidget* table_;
  QPushButton *send_, *fetch_, *end_, *forget_;
};

}  // namespace spokelab
