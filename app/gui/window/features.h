// All that the window can do. To add a capability: write its feature, make it here, and place its
// action.
#pragma once

#include <QObject>

#include "app/gui/features/views.h"
#include "app/gui/session/session.h"

class QMenu;
class QToolBar;

namespace spokelab {

class BaselinesFeature;
class ChartsFeature;
class CompareFeature;
class ConsoleFeature;
class DensityFeature;
class DragOutFeature;
class EffortFeature;
class ExplorerFeature;
class FirstStepsFeature;
class ForwardFeature;
class FitFeature;
class IterationsFeature;
class JobPlanFeature;
class LambdaFeature;
class MeasureFeature;
class MessagesFeature;
class NoiseFeature;
class OpenImageFeature;
class OverlayFeature;
class ParametersFeature;
class PixelFeature;
class PlaceFeature;
class PointsFeature;
class PreviewFeature;
class RawFeature;
class ReadingsFeature;
class ReconstructFeature;
class RemoteFeature;
class ReplayFeature;
class ReportFeature;
class ResultsFeature;
class RunsFeature;
class ScanFeature;
class SelectionFeature;
class SequenceFeature;
class SessionScript;
class ShowFeature;
class StagesFeature;
class StartFeature;
class StudiesFeature;
class SuitesFeature;
class TimelineFeature;
class Undo;
class VolumeFeature;
class WindowState;
class WisdomFeature;
class Workspace;

// The menus whose entries are features' actions.
struct Menus {
  QMenu *file, *edit, *reconstruction, *view;
};

class Features : public QObject {
  Q_OBJECT

 public:
  // remember: layout, recent files and switches are kept between runs.
  Features(Session& session, const Views& views, bool remember, QObject* parent);

  void open(const QString& file);  // a scan, a built-in one, an image, a saved session, a report
  void fillToolBar(QToolBar& bar) const;
  void fillMenus(const Menus& menus) const;

  // In the order in which they are made: if two follow one signal, the earlier one is called first.
  MessagesFeature* messages;
  ScanFeature* scan;
  StartFeature* start;
  ReadingsFeature* readings;
  FitFeature* fit;
  ShowFeature* show;
  ResultsFeature* results;
  ParametersFeature* parameters;
  EffortFeature* effort;
  JobPlanFeature* jobPlan;
  SelectionFeature* selection;
  PreviewFeature* preview;
  CompareFeature* compare;
  OpenImageFeature* images;
  OverlayFeature* overlay;
  DragOutFeature* dragOut;
  FirstStepsFeature* firstSteps;
  ChartsFeature* charts;
  RunsFeature* runs;
  ExplorerFeature* explorer;
  PlaceFeature* place;
  ReconstructFeature* reconstruct;
  IterationsFeature* iterations;
  LambdaFeature* lambda;
  NoiseFeature* noise;
  TimelineFeature* timeline;
  MeasureFeature* measure;
  StagesFeature* stages;
  VolumeFeature* volume;
  DensityFeature* density;
  ForwardFeature* forward;
  PointsFeature* points;
  WisdomFeature* wisdom;
  StudiesFeature* studies;
  SuitesFeature* suites;
  BaselinesFeature* baselines;
  RemoteFeature* remote;
  RawFeature* raw;
  SequenceFeature* sequence;
  PixelFeature* pixel;
  ReportFeature* report;
  ReplayFeature* replay;
  ConsoleFeature* console;
  SessionScript* script;
  WindowState* state;
  Workspace* workspace;
  Undo* undo;

 private:
  void connectFeatures(Session& session);
};

}  // namespace spokelab
