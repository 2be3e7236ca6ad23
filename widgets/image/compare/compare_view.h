// Two results side by side (or wiped, or flickering in one place) and their difference: one plane,
// one cursor, one window, one mode, one zoom for all.
//   d = s a - b,  s the least-squares scale,  NRMSE = |d| / |b|   (difference.h)
// a is the shown result, b the reference. The difference has a separate intensity window; its
// caption says by which factor it is drawn brighter.
#pragma once

#include <array>
#include <functional>
#include <memory>
#include <vector>

#include <QWidget>

#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/compare/compare_bar.h"
#include "widgets/image/compare/difference.h"
#include "widgets/image/display/view_state.h"

class QGridLayout;
class QLabel;
class QTimer;

namespace spokelab {

class Measurement;
class SliceView;

class CompareView : public QWidget {
  Q_OBJECT

 public:
  enum Side { shownSide, referenceSide, differenceSide };
  using Style = CompareStyle;
  enum class DifferenceOf { complexValues, magnitudes };

  explicit CompareView(QWidget* parent = nullptr);

  // The results to choose from; images of one size. An unknown id selects none.
  void setItems(const std::vector<CompareItem>& items, int shown, int reference);
  CompareBar* bar() const { return bar_; }
  int shown() const { return shown_; }
  int reference() const { return reference_; }
  double nrmse() const { return nrmse_; }  // not-a-number until the difference is there
  std::shared_ptr<const Image> difference() const { return difference_; }

  Style style() const { return style_; }
  void setStyle(Style style);
  DifferenceOf differenceOf() const { return differenceOf_; }
  void setDifferenceOf(DifferenceOf what);
  void setMeasurement(Measurement* measurement);
  bool referenceIsUp() const;  // of a flicker: which of the two is seen

  Plane plane() const;
  void setPlane(Plane plane);
  SliceView* view(Side side) const { return views_[side]; }
  // Plane, frame, cursor, mode, windows, zoom. Set it after the items.
  ViewState viewState() const;
  void setViewState(const ViewState& state);

 Q_SIGNALS:
  void pairChosen(int shown, int reference);
  void differenceReady(double nrmse);
  void closeRequested();
  void frameChanged(int frame);
  void modeChanged(spokelab::DisplayMode mode);
  void message(const QString& text);  // for the log: why a difference failed

 protected:
  void keyPressEvent(QKeyEvent* event) override;
  void hideEvent(QHideEvent* event) override;

 private:
  void connectBar();
  void applyStyle();
  void applyMode(DisplayMode mode);
  void flick();
  QWidget* makeColumns();
  void connectView(SliceView* view);
  const CompareItem* find(int id) const;
  void choose(Side side, int id);
  void applyImages(bool fit);
  void requestDifference();
  void forgetDifference();
  void takeDifference(const Difference& difference, std::shared_ptr<const Image> scaled);
  std::shared_ptr<const Image> drawn(Side side) const;
  void updateTexts();
  void forEachView(SliceView* except, const std::function<void(SliceView&)>& action);

  std::vector<CompareItem> items_;
  int shown_ = 0, reference_ = 0;
  std::shared_ptr<const Image> difference_, scaled_;  // scaled_: s a; null: a is drawn as it is
  bool ofMagnitudes_ = false;                         // difference_ is of magnitudes
  std::vector<cdouble> scales_;                       // s of each frame
  LatestJob<std::pair<Difference, std::shared_ptr<const Image>>> differenceJob_;
  double nrmse_;
  DisplayWindows fitting_;

  std::array<SliceView*, 3> views_{};
  std::array<QLabel*, 3> captions_{}, readouts_{}, details_{};
  QGridLayout* grid_ = nullptr;
  CompareBar* bar_ = nullptr;
  Style style_ = Style::sideBySide;
  DifferenceOf differenceOf_ = DifferenceOf::complexValues;
  QTimer* flicker_ = nullptr;
};

}  // namespace spokelab
