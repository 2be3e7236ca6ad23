// The dialog that asks for the options of a simulated scan: one row for each option of
// simulateOptionTable(), in groups. Rows that the chosen pattern does not use are hidden. With an
// invalid value, which is marked, nothing can be simulated.
#pragma once

#include <QDialog>

#include <vector>

#include "engine/scan/simulate/simulate_options.h"
#include "widgets/recon/parameters/option_rows.h"

class QCheckBox;
class QComboBox;
class QPushButton;

namespace spokelab {

class SimulateDialog : public QDialog {
  Q_OBJECT

 public:
  explicit SimulateDialog(QWidget* parent = nullptr);

  const SimulateOptions& options() const { return options_; }  // the last valid ones
  bool isValid() const { return valid_; }
  bool wantsTruth() const;
  OptionEditor* editor(const std::string& name) const;

 Q_SIGNALS:
  // truth: show the phantom itself as a result, too, to compare with.
  void simulateRequested(const spokelab::SimulateOptions& options, bool truth);

 private:
  QWidget* makeForm(const std::string& group);
  void read();  // editors -> options_
  void fillPresets();
  void applyPreset(int index);
  void showApplicable();

  SimulateOptions options_;
  bool valid_ = true;
  std::vector<OptionRow> rows_;
  QComboBox* presets_;
  QCheckBox* truth_;
  QLabel* problem_;
  QPushButton* simulate_;
};

}  // namespace spokelab
