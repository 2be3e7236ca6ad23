// A Pulseq sequence over time: RF with the readouts, gradients, slew rates, and k at the samples,
// under each other on one axis of time, with a cursor that is linked with the trajectory.
//   wheel (with the focus), + −   zoom           drag, left and right   move
//   click    looks at that time                  Page up and down       readout before, after
//   0        the whole sequence                  Home                   the shot of the cursor
#pragma once

#include <array>
#include <memory>

#include <QWidget>

#include "engine/scan/formats/pulseq/pulseq_curves.h"
#include "widgets/core/latest_job.h"

class QCPAxisRect;
class QCPGraph;
class QCPItemStraightLine;
class QLabel;

namespace spokelab {

class ElidedLabel;
class SequencePlot;

class SequenceView : public QWidget {
  Q_OBJECT

 public:
  explicit SequenceView(QWidget* parent = nullptr);

  void setSequence(std::shared_ptr<const PlayedSequence> sequence);  // null: none
  const std::shared_ptr<const PlayedSequence>& sequence() const { return sequence_; }
  // The cursor, by another view: told to nobody, and brought into the window of time.
  void lookAt(const PulseqMoment& moment);
  double cursor() const { return cursor_; }  // s
  PulseqMoment moment() const;               // at the cursor
  void setWindow(double from, double to);    // s
  double from() const { return from_; }
  double to() const { return to_; }
  const PulseqCurves& curves() const { return curves_; }  // that are drawn
  QString note() const;
  QPoint pointOf(double time) const;  // in the plot, on the gradients

  QSize sizeHint() const override { return {600, 260}; }

 Q_SIGNALS:
  void momentChosen(qint64 readout, qint64 sample);  // by the user
  void drawn();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  enum Row { rf, gradient, slew, k, rows };

  void choose(double time);
  void step(int readouts);
  void showShot();
  void zoom(double factor, double about);
  void setCursorTime(double time);
  void takeTheme();
  void refresh();
  void draw(PulseqCurves curves);

  SequencePlot* plot_;
  ElidedLabel* note_;
  QLabel* axes_;
  std::array<QCPAxisRect*, rows> areas_{};
  std::array<QCPItemStraightLine*, rows> cursors_{};
  QCPGraph *pulses_ = nullptr, *adc_ = nullptr;
  std::array<std::array<QCPGraph*, 3>, rows> lines_{};  // of gradient, slew and k
  std::shared_ptr<const PlayedSequence> sequence_;
  PulseqCurves curves_;
  double from_ = 0, to_ = 1, cursor_ = 0;
  bool stale_ = false;
  LatestJob<PulseqCurves> job_;
};

}  // namespace spokelab
