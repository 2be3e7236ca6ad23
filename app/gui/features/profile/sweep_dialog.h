// The ranges of a sweep and its expected time: α and W, accuracy, workload, repeats, time limit,
// backend. Automatic fields are as in the quick sweep.
#pragma once

#include <QDialog>
#include <QTimer>

#include <memory>
#include <optional>

#include "app/gui/session/sweep_plan.h"
#include "widgets/core/latest_job.h"

class QCheckBox;
class QComboBox;
class QFormLayout;
class QLabel;
class QPushButton;
class QSpinBox;

namespace spokelab {

class NumberBox;

class SweepDialog : public QDialog {
  Q_OBJECT

 public:
  // options, breadth: what it begins with.
  SweepDialog(std::vector<Backend*> backends, std::shared_ptr<const Scan> scan, const ReconOptions& options,
              const SweepBreadth& breadth, QWidget* parent = nullptr);

  SweepPlan plan() const;

 Q_SIGNALS:
  void sweepRequested(const spokelab::SweepPlan& plan);
  void estimated();  // the shown estimate belongs to plan()

 private:
  struct Range {
    NumberBox *from = nullptr, *to = nullptr, *step = nullptr;
    QWidget* row = nullptr;
  };
  Range makeRange(const QString& name, double from, double to, double step);
  QComboBox* makeChoice(const char* name, const QString& label, const QStringList& texts, QFormLayout* form);
  void addWorkload(QFormLayout* form);
  void addBreadth(QFormLayout* form, const SweepBreadth& breadth);
  void changed();
  void estimate();

  std::vector<Backend*> backends_;
  std::shared_ptr<const Scan> scan_;
  ReconOptions options_;
  QComboBox *alphas_, *widths_, *direction_, *backend_;
  Range alphaRange_, widthRange_;
  NumberBox *accuracy_, *reuse_, *timeLimit_;
  QSpinBox* repeats_;
  QCheckBox *errors_, *kernels_, *precomputations_, *implementations_, *paths_;
  QLabel* estimate_;
  QPushButton* sweep_;
  QTimer settle_;
  LatestJob<std::optional<SweepEstimate>> job_;
};

}  // namespace spokelab

Q_DECLARE_METATYPE(spokelab::SweepPlan)
