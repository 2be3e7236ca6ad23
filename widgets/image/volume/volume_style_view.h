// The volume's settings: how it is drawn, the curve of opacity, the level of the surface, and the
// box to which the volume is cut.
#pragma once

#include <QWidget>

#include <array>

#include "widgets/image/volume/volume_style.h"

class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QPushButton;
class QSlider;

namespace spokelab {

class OpacityEditor;

class VolumeStyleView : public QWidget {
  Q_OBJECT

 public:
  explicit VolumeStyleView(QWidget* parent = nullptr);

  // Does not emit.
  void setVolumeStyle(const VolumeStyle& style);
  const VolumeStyle& volumeStyle() const { return style_; }
  // White of the shown image's window, and a surface's automatic level; 0: no volume.
  void setScale(double high, double automaticLevel);
  double level() const;  // of the surface that is drawn, a magnitude
  void setSurfaceNote(const QString& text);
  QDoubleSpinBox* levelValue() const { return levelValue_; }
  OpacityEditor* editor() const { return editor_; }
  QComboBox* mode() const { return mode_; }
  QSlider* levelSlider() const { return level_; }
  QSlider* clip(int edge) const { return clip_[std::size_t(edge)]; }  // x from, x to, y from, ...

 Q_SIGNALS:
  void styleChanged(const spokelab::VolumeStyle& style);
  void saveRequested();  // the surface, into a file

 private:
  void take();
  void takeLevel(double level);
  void takeClip(int edge);
  void fill();

  VolumeStyle style_;
  QComboBox* mode_;
  OpacityEditor* editor_;
  QSlider* level_;
  QDoubleSpinBox* levelValue_;
  QLabel* note_;
  QPushButton* save_;
  double high_ = 0, automatic_ = 0;
  std::array<QSlider*, 6> clip_{};
  QPushButton* reset_;
};

}  // namespace spokelab
