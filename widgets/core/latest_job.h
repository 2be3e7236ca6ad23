// Runs work on the thread pool and delivers its result on the main thread; only the latest start
// counts. A newer start, drop(), and the end of the LatestJob ask the older work to stop (through
// its stop token) and discard its result, so that a widget which holds a LatestJob as a member
// needs no counter and no guarded pointer. All members belong to the main thread.
//   job_.start([image](std::stop_token) { return measure(*image); },  // worker; captures values
//              [this](Measured measured) { show(measured); },         // main thread
//              [this](const QString& why) { showFailure(why); });     // main thread, if it threw
#pragma once

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <utility>

#include <QCoreApplication>
#include <QMetaObject>
#include <QString>
#include <QThreadPool>

#include "engine/core/error.h"

namespace spokelab {

template <typename Result>
class LatestJob {
 public:
  using Work = std::function<Result(std::stop_token stop)>;
  using Deliver = std::function<void(Result result)>;
  using Fail = std::function<void(const QString& failure)>;

  LatestJob() = default;
  ~LatestJob() { drop(); }
  LatestJob(const LatestJob&) = delete;
  LatestJob& operator=(const LatestJob&) = delete;

  // Without `fail`, work that throws delivers nothing; stopped work may throw Cancelled. `deliver`
  // and `fail` may start again or destroy this object.
  void start(Work work, Deliver deliver, Fail fail = {}) {
    drop();
    stop_ = std::stop_source();
    running_ = true;
    QThreadPool::globalInstance()->start([this, stop = stop_.get_token(), work = std::move(work),
                                          deliver = std::move(deliver), fail = std::move(fail)] {
      if (stop.stop_requested()) return;
      auto result = std::make_shared<std::optional<Result>>();
      QString failure;
      try {
        result->emplace(work(stop));
      } catch (const Cancelled&) {
        return;
      } catch (const std::exception& error) {
        failure = QString::fromUtf8(error.what());
      }
      QMetaObject::invokeMethod(QCoreApplication::instance(), [this, stop, result, failure, deliver, fail] {
        // Stops are requested on this thread only, so `this` is alive where none was.
        if (stop.stop_requested()) return;
        running_ = false;
        if (*result)
          deliver(std::move(**result));
        else if (fail)
          fail(failure);
      });
    });
  }

  // Discards the result of the work that runs, if any does.
  void drop() {
    stop_.request_stop();
    running_ = false;
  }

  // True if a result or a failure is still expected.
  bool isRunning() const { return running_; }

 private:
  std::stop_source stop_{std::nostopstate};
  bool running_ = false;
};

}  // namespace spokelab
