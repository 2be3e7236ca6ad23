// Maps of noise, SNR and g-factor, side by side, each to be laid over the image in colours.
#pragma once

#include <QWidget>

#include <array>
#include <memory>

#include "engine/recon/explore/noise_maps.h"

class QLabel;
class QSpinBox;
class QToolButton;

namespace spokelab {

class ElidedLabel;
class SliceView;

class NoiseView : public QWidget {
  Q_OBJECT

 public:
  enum Map { noiseMap, snrMap, gFactorMap };

  explicit NoiseView(QWidget* parent = nullptr);

  // Null: none yet.
  void setMaps(std::shared_ptr<const NoiseMaps> maps);
  const NoiseMaps* maps() const { return maps_.get(); }
  void setBusy(bool busy);
  int replicas() const;
  SliceView* view(Map map) const { return views_[map]; }

 Q_SIGNALS:
  void mapsRequested();
  void overRequested(std::shared_ptr<const spokelab::Image> map, const QString& name);

 private:
  QWidget* makeColumn(Map map);
  std::shared_ptr<const Image> imageOf(Map map) const;
  QString titleOf(Map map) const;

  std::shared_ptr<const NoiseMaps> maps_;
  QToolButton* make_ = nullptr;
  QSpinBox* replicas_ = nullptr;
  ElidedLabel* status_ = nullptr;
  std::array<SliceView*, 3> views_{};
  std::array<QLabel*, 3> captions_{};
  std::array<QToolButton*, 3> overs_{};
};

}  // namespace spokelab
