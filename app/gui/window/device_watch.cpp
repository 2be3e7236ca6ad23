#include "app/gui/window/device_watch.h"

#include <algorithm>
#include <exception>

#include "widgets/recon/jobs/device_badge.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

// The same devices, with memory and load not known.
std::vector<DeviceState> unknownStates(std::vector<DeviceState> states) {
  for (DeviceState& state : states) state = {.name = state.name};
  return states;
}

}  // namespace

DeviceWatch::DeviceWatch(const Backend& backend, DeviceBadge& badge, QObject* parent)
    : QObject(parent), backend_(backend), badge_(badge) {
  asking_.setMaxThreadCount(1);
  timer_.setInterval(defaultInterval);
  connect(&timer_, &QTimer::timeout, this, &DeviceWatch::ask);
  connect(&badge, &DeviceBadge::appeared, this, &DeviceWatch::ask, Qt::QueuedConnection);
  timer_.start();
}

DeviceWatch::~DeviceWatch() {
  asking_.waitForDone();
}

void DeviceWatch::ask() {
  if (awaitsAnswer_ || !badge_.isSeen()) return;
  awaitsAnswer_ = true;
  asking_.start([this] {
    std::vector<DeviceState> states;
    try {
      states = backend_.deviceStates();
    } catch (const std::exception&) {  // a driver that does not answer
    }
    QMetaObject::invokeMethod(
        this,
        [this, states = std::move(states)] {
          awaitsAnswer_ = false;
          // Old numbers would look like new ones.
          badge_.setStates(states.empty() ? unknownStates(badge_.states()) : states);
        },
        Qt::QueuedConnection);
  });
}

const Backend* backendOfSeveralDevices(const std::vector<Backend*>& backends) {
  const auto most = std::max_element(
      backends.begin(), backends.end(),
      [](const Backend* a, const Backend* b) { return a->deviceCount() < b->deviceCount(); });
  return most != backends.end() && (*most)->deviceCount() > 1 ? *most : nullptr;
}

void offerBackends(ParameterPanel& panel, const std::vector<Backend*>& backends) {
  for (const Backend* backend : backends)
    panel.editor("backend")->addChoice(QString::fromStdString(backend->name()));
  if (backendOfSeveralDevices(backends)) return;
  const bool hasGpu = std::any_of(backends.begin(), backends.end(),
                                  [](const Backend* backend) { return backend->deviceCount() > 0; });
  panel.setUnavailable("devices",
                       hasGpu ? ParameterPanel::tr("This machine has one GPU: there is nothing to choose")
                              : ParameterPanel::tr("This machine has no GPU that Spokelab can use"));
}

}  // namespace spokelab
