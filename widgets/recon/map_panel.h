// The maps that an iterative reconstruction uses: coils, field and phases of shots, with the
// switches that decide what their numbers mean (unit, sign, time origin) and the shots that take
// part.
#pragma once

#include <QWidget>

#include <array>

#include "engine/recon/explore/scan_maps.h"
#include "engine/recon/options/options.h"

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLabel;
class QListWidget;
class QSlider;
class QToolButton;

namespace spokelab {

class SliceView;

class MapPanel : public QWidget {
  Q_OBJECT

 public:
  enum View { coilView, fieldView, phaseView };

  explicit MapPanel(QWidget* parent = nullptr);

  // Null: nothing is known yet.
  void setMaps(std::shared_ptr<const ScanMaps> maps);
  // Values of the switches; never emits.
  void setOptions(const ReconOptions& options);
  void setBusy(bool busy);

  const std::shared_ptr<const ScanMaps>& maps() const { return maps_; }
  SliceView* view(View which) const { return views_[which]; }
  QString caption(View which) const;

 Q_SIGNALS:
  // One map, to lie over the image.
  void overRequested(std::shared_ptr<const spokelab::Image> map, const QString& name);
  void mapsRequested();
  // The user changed a switch: the option's name in the table of options, and its value as text.
  void optionEdited(const QString& name, const QString& value);

 private:
  QWidget* makeColumn(View which, const QString& title);
  QWidget* makeSwitches();
  QWidget* makeFrames(View which, const QString& name);
  void showFrame(View which, int frame);
  void askOver(View which);
  void fillShots();
  int phaseFrame(int shot) const;
  int shotOfFrame(int frame) const;
  void shotsEdited();
  QString valueAt(View which) const;
  void updateTexts();

  std::shared_ptr<const ScanMaps> maps_;
  std::string shots_;
  bool filling_ = false;
  std::array<SliceView*, 3> views_{};
  std::array<QLabel*, 3> captions_{};
  std::array<QSlider*, 3> sliders_{};
  QComboBox* unit_ = nullptr;
  QCheckBox *turnField_ = nullptr, *turnPhase_ = nullptr;
  QDoubleSpinBox* origin_ = nullptr;
  QListWidget* shotList_ = nullptr;
  QLabel* notes_ = nullptr;
  QToolButton* load_ = nullptr;
};

}  // namespace spokelab
