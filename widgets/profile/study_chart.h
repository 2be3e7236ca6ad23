// One panel of a study's chart: its lines in the colours of the family, dots on what was measured,
// bars over the quartiles of its repeats where they are known, rings where it was timed once. The
// paper's printed numbers are dashed. The x axis has names where the study has categories. A click
// on a dot picks its row.
#pragma once

#include <vector>

#include "engine/profile/study/claims/claims.h"
#include "engine/profile/study/study.h"
#include "widgets/profile/charts/chart.h"

namespace spokelab {

class StudyChart : public Chart {
  Q_OBJECT

 public:
  explicit StudyChart(QWidget* parent = nullptr);

  // Rows of other panels are left out.
  void setRows(const StudyAxes& axes, const std::vector<StudyRow>& rows, const std::string& panel);
  // Numbers that the paper prints: dashed, in the panel that they are of.
  void setPrinted(const std::vector<PrintedNumber>& numbers) { printed_ = numbers; }
  QString detailsOf(int row) const override;
  int lines() const { return lines_; }

 protected:
  void rebuild() override;
  void resetRanges() override;

 private:
  void setScale(QCPAxis& axis, bool logarithmic);
  void placeLegend();
  void addLine(const std::string& series, const QColor& colour);
  void addRepeats();
  bool addHoles();    // false without holes
  bool addPrinted();  // false where the paper prints none

  StudyAxes axes_;
  std::vector<StudyRow> rows_;
  std::vector<PrintedNumber> printed_;
  std::string panel_;
  int lines_ = 0;
};

}  // namespace spokelab
