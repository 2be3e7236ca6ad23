// Error against time, both logarithmic: a mark for each plan that was timed, its shape the path,
// its colour α (dark: small; without α in the colour of its path), with the quartiles of its
// repeats; hollow: it was timed once. The line joins the plans that no other one beats in both;
// dashed: the accuracy that was asked for.
#pragma once

#include <vector>

#include "widgets/profile/charts/chart.h"

namespace spokelab {

// Plans of which none is both faster and more accurate, by time. Indices into data.candidates.
std::vector<int> paretoFront(const ProfileData& data);

class ScatterChart : public Chart {
  Q_OBJECT

 public:
  explicit ScatterChart(QWidget* parent = nullptr);
  QString numbers() const override;

 protected:
  void rebuild() override;
  QString promise() const override { return tr("Error of each plan against its time"); }
  void resetRanges() override;
  PlaceMark::At placeOf(const PlanPlace& place) const override;

 private:
  bool cover(double seconds, double error);
  void addTraces();
  void addPlans();
  void addRepeats();
  void addHoles();
  void addFront();
  void addLimit();
  void addMarked();

  QCPRange seconds_, errors_;
  bool empty_ = true;
};

}  // namespace spokelab
