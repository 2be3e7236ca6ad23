// What the user can change about the volume: how it is drawn, the curve of opacity, the level of the surface, and the box
// that is cut out of it.
#pragma once

#include <QWidget>

#include <array>

#include "widgets/image/volume_style.h"

class QComboBox;
class QLabel;
class QPushButton;
class QSlider;

namespace spokelab {

class OpacityEditor;

class VolumeStyleView : public QWidget {
  Q_OBJECT

 public:
  explicit VolumeStyleView(QWidget* parent = nullptr);

  void setVolumeStyle(const VolumeStyle& style);  // tells nobody
  const VolumeStyle& volumeStyle() const { return style_; }
  OpacityEditor* editor() const { return editor_; }
  QComboBox* mode() const { return mode_; }
  QSlider* level() const { return level_; }
  QSlider* clip(int edge) const { return clip_[std::size_t(edge)]; }  // x from, x to, y from, ...

 Q_SIGNALS:
  void styleChanged(const spokelab::VolumeStyle& style);

 private:
  void take();
  void takeClip(int edge);
  void fill();

  VolumeStyle style_;
  QComboBox* mode_;
  OpacityEditor* editor_;
  QSlider* level_;
  QLabel* levelText_;
  std::array<QSlider*, 6> clip_{};
  QPushButton* reset_;
};

}  // namespace spokelab
