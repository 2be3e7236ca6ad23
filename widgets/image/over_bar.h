// The overlay's name, opacity and colours, and a button that removes it.
#pragma once

#include <memory>

#include <QWidget>

#include "widgets/image/slice/over_picture.h"

class QComboBox;
class QSlider;

namespace spokelab {

class ElidedLabel;

class OverBar : public QWidget {
  Q_OBJECT

 public:
  explicit OverBar(QWidget* parent = nullptr);

  // Null: there is nothing, and the bar hides. Keeps opacity and colours; never emits.
  void setOver(std::shared_ptr<const OverImage> over);
  const std::shared_ptr<const OverImage>& over() const { return over_; }

 Q_SIGNALS:
  void overChanged(std::shared_ptr<const spokelab::OverImage> over);  // by the user
  void removed();

 private:
  std::shared_ptr<const OverImage> styled(const OverImage& over) const;
  void tell();

  std::shared_ptr<const OverImage> over_;
  ElidedLabel* name_;
  QSlider* opacity_;
  QComboBox* maps_;
};

}  // namespace spokelab
