// Iterative reconstruction: the docks of the iterations that run, of the maps that they use, and of
// the bench of field corrections.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class FieldBenchView;
class IterationView;
class MapPanel;
struct ScanMaps;

class IterationsFeature : public Feature {
  Q_OBJECT

 public:
  IterationsFeature(Session& session, const Views& views, QObject* parent);

  // Both functions work on the first frame and slice that the parameters name.
  void loadMaps();
  void benchField();

  IterationView* iterations() const { return iterations_; }
  MapPanel* maps() const { return maps_; }
  FieldBenchView* fieldBench() const { return bench_; }
  QAction* mapsAction() const { return mapsAction_; }
  QAction* benchAction() const { return benchAction_; }

 Q_SIGNALS:
  void optionEdited(const QString& name, const QString& value);
  void mapsReady(std::shared_ptr<const spokelab::ScanMaps> maps);
  void benchEnded();
  void overRequested(std::shared_ptr<const spokelab::Image> map, const QString& name);

 private:
  void connectIterations();
  void connectMaps();
  void connectBench();

  IterationView* iterations_;
  MapPanel* maps_;
  FieldBenchView* bench_;
  QAction *mapsAction_, *benchAction_;
  int benching_ = 0;  // id of the job whose rows the bench shows
};

}  // namespace spokelab
