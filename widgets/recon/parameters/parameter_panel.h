// Everything a reconstruction can be asked, built from reconOptionTable(): one row an option,
// grouped; automatic values show the tuner's choice; impossible values are marked and never leaves
// the panel.
#pragma once

#include <QScrollArea>

#include <vector>

#include "engine/recon/options/options.h"
#include "widgets/recon/parameters/option_rows.h"

class QPushButton;

namespace spokelab {

class ParameterPanel : public QWidget {
  Q_OBJECT

 public:
  explicit ParameterPanel(QWidget* parent = nullptr);

  const ReconOptions& options() const { return options_; }  // the last valid ones
  bool isValid() const { return valid_; }
  void setOptions(const ReconOptions& options);
  void reset();  // to the defaults
  // The values that a result chose for the automatic options; a default-constructed value clears
  // them.
  void setSettled(const ReconOptions& settled);

  OptionEditor* editor(const std::string& name) const;

 Q_SIGNALS:
  void optionsChanged(const spokelab::ReconOptions& options);

 private:
  void read();         // editors -> options_
  void markChanged();  // rows that differ from the default

  ReconOptions options_;
  bool valid_ = true;
  std::vector<OptionRow> rows_;
  QLabel *problem_, *hint_;
  QPushButton* reset_;
};

}  // namespace spokelab
