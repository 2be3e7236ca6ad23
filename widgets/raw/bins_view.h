// The bins of breathing and heartbeat of a scan: the signal of each shot in the order of
// measurement, in the colour of its bin. A drag chooses shots, which then go to another bin or are
// left out; the owner reads the scan again with these bins.
#pragma once

#include <memory>
#include <vector>

#include <QWidget>

#include "engine/scan/scan.h"

class QComboBox;
class QPushButton;
class QSpinBox;

namespace spokelab {

class CurvePlot;

class BinsView : public QWidget {
  Q_OBJECT

 public:
  explicit BinsView(QWidget* parent = nullptr);

  void setScan(const std::shared_ptr<const Scan>& scan);
  const std::vector<int>& bins() const { return bins_; }  // [shot]; -1: left out; empty: none
  CurvePlot* plot() const { return plot_; }
  QString note() const { return note_; }  // the bins in a line of words
  void chooseShots(int from, int to);

 Q_SIGNALS:
  void divisionRequested(int bins);               // of breathing, with equal counts
  void binsEdited(const std::vector<int>& bins);  // of each shot
  void told();                                    // another note

 private:
  QWidget* makeBar();
  QSpinBox* makeShotBox(const char* name, const QString& help);
  void move();
  void fillTargets();
  void draw();
  void tell();

  CurvePlot* plot_;
  QSpinBox *count_, *from_, *to_;
  QComboBox* target_;
  QPushButton *divide_, *move_, *reset_, *read_;
  std::vector<int> readBins_, bins_;  // as they were read; as they are edited
  std::vector<double> signal_;        // [shot]
  QString signalName_, note_;
};

}  // namespace spokelab
