// Sliders for the place in a scan's samples that is looked at: frame, slice, shot, sample, coil.
// An axis with one value only is not shown.
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "engine/scan/look/raw_picture.h"

class QLabel;
class QSlider;

namespace spokelab {

class RawPlaceBar : public QWidget {
  Q_OBJECT

 public:
  explicit RawPlaceBar(QWidget* parent = nullptr);

  void setScan(const std::shared_ptr<const Scan>& scan);  // the place becomes the first one
  void setPlace(const RawPlace& place);                   // tells nobody
  const RawPlace& place() const { return place_; }

 Q_SIGNALS:
  void placeChanged(const spokelab::RawPlace& place);  // by the user

 private:
  enum Part { frame, slice, shot, sample, coil, parts };
  struct Row {
    QWidget* whole = nullptr;
    QSlider* slider = nullptr;
    QLabel* value = nullptr;
  };

  void take(Part part, int value);
  void setLengths();
  static int firstNumber(Part part);
  static std::int64_t valueOf(const RawPlace& place, Part part);

  std::array<Row, parts> rows_;
  std::shared_ptr<const Scan> scan_;
  RawPlace place_;
};

}  // namespace spokelab
