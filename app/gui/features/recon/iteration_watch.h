// Passes the news of running iterations to their view, and the user's wishes back.
#pragma once

#include <QObject>
#include <QTimer>

#include <memory>

namespace spokelab {

class IterationControl;
class IterationView;
class Session;

class IterationWatch : public QObject {
  Q_OBJECT

 public:
  IterationWatch(IterationView& view, Session& session, QObject* parent);

 private:
  void refresh();

  IterationView& view_;
  std::shared_ptr<IterationControl> control_;  // of the iterations that run, or null
  QTimer timer_;
};

}  // namespace spokelab
