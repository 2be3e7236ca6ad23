// Studies of the papers. Fields choose the study, sizes, accelerations, accuracies and threads; an
// empty field takes the paper's values. Rows appear as they come, in a chart with one panel at a
// time and in a table. The result is exported as CSV, JSON or report.
#pragma once

#include <QTimer>
#include <QWidget>

#include "engine/profile/study/study.h"

class QComboBox;
class QGridLayout;
class QLabel;
class QLineEdit;
class QPushButton;
class QTableWidget;

namespace spokelab {

class StudyChart;

class StudyView : public QWidget {
  Q_OBJECT

 public:
  explicit StudyView(QWidget* parent = nullptr);

  // The request of the fields; throws Error for a malformed list.
  StudyRequest request() const;
  void setRequest(const StudyRequest& request);

  // Begins a run and removes the rows of earlier ones. Returns the run's number, for addRow().
  int start();
  // Adds a row of the run that start() numbered; a row of a run that is over is ignored.
  void addRow(int run, const StudyRow& row, const StudyAxes& axes);
  void finish(const StudyResult& result);
  void stop(const QString& why);  // it ended without a result

  bool running() const { return running_; }
  const StudyResult& result() const { return result_; }
  StudyChart* chart() const { return chart_; }
  QTableWidget* table() const { return table_; }
  QComboBox* panels() const { return panels_; }

 Q_SIGNALS:
  void runRequested();
  void cancelRequested();
  void exportRequested(const QString& suffix);  // "csv", "json", "html": a report

 private:
  QLineEdit* addField(QGridLayout* grid, int column, const QString& label, const char* name,
                      const QString& help);
  void showDefaults();
  void refresh();
  void setRunning(bool running);

  StudyResult result_;
  bool running_ = false;
  int runs_ = 0;
  QTimer timer_;
  QComboBox *study_, *panels_;
  QLineEdit *sizes_, *accelerations_, *accuracies_, *patterns_, *alphas_, *threads_;
  QPushButton *run_, *csv_, *json_, *report_;
  QLabel *comparison_, *status_;  // what is as in the paper and what is not
  StudyChart* chart_;
  QTableWidget* table_;
  int tabled_ = 0;  // rows that the table has
};

}  // namespace spokelab
