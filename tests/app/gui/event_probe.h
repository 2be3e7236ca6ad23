// An application that times every event that is delivered from the loop, while it is told to.
#pragma once

#include <QApplication>

#include <algorithm>
#include <ctime>
#include <vector>

namespace spokelab {

inline constexpr double longestAllowed = 50;  // ms, of one event

inline double clockMs(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return double(time.tv_sec) * 1e3 + double(time.tv_nsec) * 1e-6;
}

class ProbeApplication : public QApplication {
 public:
  using QApplication::QApplication;

  struct Event {
    double wall = 0, processor = 0;  // ms; processor: this thread's own
    QString name;
  };
  bool probing = false;
  std::vector<Event> slow;  // over half of what is allowed
  double longestWall = 0, longestProcessor = 0;
  int count = 0;

  bool notify(QObject* receiver, QEvent* event) override {
    if (!probing || depth_ > 0) return QApplication::notify(receiver, event);
    const QString name = QStringLiteral("%1 for %2")
                             .arg(int(event->type()))
                             .arg(QString::fromUtf8(receiver->metaObject()->className()));
    ++depth_;
    const double wall = clockMs(CLOCK_MONOTONIC), processor = clockMs(CLOCK_THREAD_CPUTIME_ID);
    const bool result = QApplication::notify(receiver, event);
    const Event took{clockMs(CLOCK_MONOTONIC) - wall, clockMs(CLOCK_THREAD_CPUTIME_ID) - processor, name};
    --depth_;
    ++count;
    longestWall = std::max(longestWall, took.wall);
    longestProcessor = std::max(longestProcessor, took.processor);
    if (took.wall > longestAllowed / 2) slow.push_back(took);
    return result;
  }

 private:
  int depth_ = 0;
};

}  // namespace spokelab
