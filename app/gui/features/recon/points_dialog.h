// Asks for a transform from points to points (type 3): the files of sources, targets and values,
// the direction and the sign. Accuracy, ratios and machine are the parameters'.
#pragma once

#include <QDialog>

class QComboBox;
class QFormLayout;
class QLineEdit;
class QPushButton;

namespace spokelab {

struct PointsJob {
  QString sources, targets, values;  // files
  bool adjoint = false;
  int sign = -1;
};

class PointsDialog : public QDialog {
  Q_OBJECT

 public:
  explicit PointsDialog(QWidget* parent = nullptr);
  PointsJob job() const;

 Q_SIGNALS:
  void sweepRequested(const spokelab::PointsJob& job);
  void transformRequested(const spokelab::PointsJob& job);

 private:
  QLineEdit* addFile(QFormLayout& form, const char* name, const QString& label, const QString& help);
  void update();

  QLineEdit *sources_, *targets_, *values_;
  QComboBox *direction_, *sign_;
  QPushButton *sweep_, *transform_;
};

}  // namespace spokelab
