// The dock of time lines: when each part of the last reconstruction ran (other programs can show
// it, too), and on request the work of each CPU thread during spreading.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

struct Timeline;
struct Trace;
class TimelineView;

class TimelineFeature : public Feature {
  Q_OBJECT

 public:
  TimelineFeature(Session& session, const Views& views, QObject* parent);

  // Records the plan that the CPU's tuner finds for the options.
  void record(const ReconOptions& options);
  void takeTrace(const QString& title, const std::shared_ptr<const Trace>& trace);
  void saveTrace(const QString& file);

  QAction* traceAction() const { return traceAction_; }  // asks for a file

 Q_SIGNALS:
  void ready(std::shared_ptr<const spokelab::Timeline> timeline);

 private:
  void askForTraceFile();

  TimelineView* view_;
  QAction* traceAction_;
  QString traceTitle_;
  std::shared_ptr<const Trace> trace_;  // null: nothing was reconstructed yet
};

}  // namespace spokelab
