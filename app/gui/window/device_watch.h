// Keeps the badge of a backend's devices up to date: a separate thread asks for their states every
// few seconds, only while the badge is visible.
#pragma once

#include <QObject>
#include <QThreadPool>
#include <QTimer>

#include "engine/recon/sense/backend.h"

namespace spokelab {

class DeviceBadge;
class ParameterPanel;

class DeviceWatch : public QObject {
  Q_OBJECT

 public:
  static constexpr int defaultInterval = 2000;  // ms

  // Both outlive it.
  DeviceWatch(const Backend& backend, DeviceBadge& badge, QObject* parent = nullptr);
  ~DeviceWatch() override;
  void setInterval(int milliseconds) { timer_.setInterval(milliseconds); }

 private:
  void ask();

  const Backend& backend_;
  DeviceBadge& badge_;
  QTimer timer_;
  QThreadPool asking_;         // one thread: the driver may take its time
  bool awaitsAnswer_ = false;  // an answer is still to come
};

// The one with the most devices; null: none has several.
const Backend* backendOfSeveralDevices(const std::vector<Backend*>& backends);
// Lets the panel choose among them, and greys the option that chooses devices, with the reason,
// where there is nothing to choose.
void offerBackends(ParameterPanel& panel, const std::vector<Backend*>& backends);

}  // namespace spokelab
