// The two rows over a comparison: which results, in which plane, how they are laid over each other,
// and the frame. It emits the user's requests; only CompareView decides.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"

class QButtonGroup;
class QComboBox;
class QKeyEvent;
class QLabel;
class QToolButton;

namespace spokelab {

class FlowLayout;
class FrameBar;
class GroupBox;

struct CompareItem {
  int id = 0;
  QString title, details;  // "2  gridding α 1.5 W 4.95", and times, errors
  std::shared_ptr<const Image> image;
};

enum class CompareStyle { sideBySide, wipe, flicker };

class CompareBar : public QWidget {
  Q_OBJECT

 public:
  explicit CompareBar(QWidget* parent = nullptr);

  void setItems(const std::vector<CompareItem>& items, int shown, int reference);
  void setPlane(Plane plane);
  void setPlanesVisible(bool visible);
  void setStyle(CompareStyle style);
  // Sets magnitudes or complex values; emits magnitudesToggled if this is a change.
  void setMagnitudes(bool on);
  void setNrmse(double nrmse, bool visible, bool ofMagnitudes);
  GroupBox* groups() const { return groups_; }
  FrameBar* frames() const { return frames_; }
  // Takes keys of the buttons (S W F G) and of the player (space). True if the key was one of them.
  bool takeKey(const QKeyEvent& event);

 Q_SIGNALS:
  void shownChosen(int id);
  void referenceChosen(int id);
  void swapRequested();
  void closeRequested();
  void planeChosen(spokelab::Plane plane);
  void styleChosen(spokelab::CompareStyle style);
  void magnitudesToggled(bool on);

 private:
  QComboBox* addBox(FlowLayout* row, const QString& name, const QString& help);
  void addPlaneButtons(FlowLayout* row);
  void addStyleButtons(FlowLayout* row);

  QComboBox *shownBox_ = nullptr, *referenceBox_ = nullptr;
  QButtonGroup *planes_ = nullptr, *styles_ = nullptr;
  QToolButton* magnitudes_ = nullptr;
  QLabel* nrmse_ = nullptr;
  GroupBox* groups_ = nullptr;
  FrameBar* frames_ = nullptr;
};

}  // namespace spokelab
