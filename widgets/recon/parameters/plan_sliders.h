// Sliders for α, W and accuracy, above the parameters. While one moves, `moved` is emitted for each
// new value. When it rests (the button is released, or keys and wheel have been still for a
// moment), `rested` is emitted once. α and W have a button that gives them back to the tuner.
#pragma once

#include <QTimer>
#include <QWidget>

#include <array>

#include "engine/recon/options/options.h"

class QLabel;
class QSlider;
class QToolButton;

namespace spokelab {

class PlanSliders : public QWidget {
  Q_OBJECT

 public:
  static constexpr int restMs = 400;  // of no change, where no button is held

  explicit PlanSliders(QWidget* parent = nullptr);

  // Does not emit.
  void setOptions(const ReconOptions& options);
  // The values chosen for the automatic options, for the sliders' places; zeros: not known.
  void setSettled(const NufftOptions& settled);
  void setNote(const QString& note);  // text about the shown plan, or the reason why no plan is shown
  const ReconOptions& options() const { return options_; }
  bool moving() const { return moving_; }

  QSlider* alpha() const { return rows_[0].slider; }
  QSlider* width() const { return rows_[1].slider; }
  QSlider* accuracy() const { return rows_[2].slider; }
  QToolButton* automaticAlpha() const { return rows_[0].automatic; }
  QToolButton* automaticWidth() const { return rows_[1].automatic; }

  // The value at a slider's place.
  static double alphaAt(int place);
  static double widthAt(int place);
  static double accuracyAt(int place);

 Q_SIGNALS:
  void moved(const spokelab::ReconOptions& options);
  void rested(const spokelab::ReconOptions& options);

 private:
  struct Row {
    QSlider* slider = nullptr;
    QLabel* value = nullptr;
    QToolButton* automatic = nullptr;
  };
  Row makeRow(const char* name, const QString& title, const QString& help, bool automatic, int low, int high);
  void take(int row, int place);
  void free(int row);
  void rest();
  void fill();

  ReconOptions options_;
  NufftOptions settled_;
  std::array<Row, 3> rows_;
  QLabel* note_;
  QTimer rest_;
  bool moving_ = false;
};

}  // namespace spokelab
