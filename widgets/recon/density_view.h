// Density weights by several methods, side by side: a picture of each point spread function (in
// decibels, over twice the field of view), and beneath it the width of its main lobe, its side
// lobes, and how the weights agree.
#pragma once

#include <QWidget>

#include <memory>
#include <vector>

#include "engine/recon/explore/density_comparison.h"

class QGridLayout;
class QLabel;

namespace spokelab {

struct DensityTrials {
  QString scan;
  int dims = 2;
  std::vector<DensityTrial> trials;
};

// The middle slice of a point spread function in grey: magnitude 1 (0 dB) is white, -rangeDecibels
// and below are black. With `zoom` above 1, only the middle 1/zoom of each side is shown.
QImage spreadPicture(const Image& spread, double rangeDecibels, int zoom);

class DensityView : public QWidget {
  Q_OBJECT

 public:
  explicit DensityView(QWidget* parent = nullptr);
  void setTrials(std::shared_ptr<const DensityTrials> trials);

 private:
  void rebuild();

  std::shared_ptr<const DensityTrials> trials_;
  QGridLayout* grid_;
  int zoom_ = 1;
};

}  // namespace spokelab
