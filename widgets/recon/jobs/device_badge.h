// The devices of a backend in a tool bar: their number, and beside it two bars for each device,
// memory in use and load. The tool tip gives both in words. A click opens a table of them, which is
// kept up to date.
#pragma once

#include <QToolButton>

#include <vector>

#include "engine/core/device_state.h"

class QFrame;
class QTableWidget;

namespace spokelab {

class DeviceBadge : public QToolButton {
  Q_OBJECT

 public:
  explicit DeviceBadge(int devices, QWidget* parent = nullptr);

  void setStates(const std::vector<DeviceState>& states);
  const std::vector<DeviceState>& states() const { return states_; }
  bool isSeen() const;
  QTableWidget* table() const { return table_; }
  // The rectangle of a device's bar: memory in use (0) or load (1).
  QRect bar(int device, int which) const;
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 Q_SIGNALS:
  void appeared();  // the badge or its table came onto the screen

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  void showTable();
  void fillTable();

  int devices_;
  std::vector<DeviceState> states_;
  QFrame* popup_;
  QTableWidget* table_;
};

// "12.0 of 80.0 GB"; empty: not known.
QString memoryInUse(const DeviceState& state);
// "97 %"; empty: not known.
QString loadLabel(const DeviceState& state);

}  // namespace spokelab
