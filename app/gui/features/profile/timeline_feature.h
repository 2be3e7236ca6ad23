// Time lines, in a dock of their own: which part of the last reconstruction ran when, which other programs
// can show, too, and, where it is asked for, what each thread of the CPU did while samples were spread.
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

  // Of the plan that the CPU's tuner finds for the options.
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
