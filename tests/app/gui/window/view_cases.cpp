// Cases of what is looked at, of files, and of the window itself.
#include <QAction>
#include <QDialog>
#include <QDockWidget>

#include <algorithm>
#include <array>

#include "app/gui/window/theme.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/window/feature_cases.h"
#include "widgets/core/screen_theme.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace spokelab {
namespace {

void showVolume(Desk& desk, VolumeMode mode) {
  VolumeStyle style;
  style.mode = mode;
  desk.views().image->setVolumeStyle(style);
}

bool hasDocks(Desk& desk) {
  return desk.window.dock(QStringLiteral("parameters"))->isVisible();
}
void showDocks(Desk& desk, bool shown) {
  if (hasDocks(desk) == shown) return;
  desk.trigger("action-image-alone");
  desk.settle();
}

// An action before a case, so that there is something to change.
std::function<void(Desk&)> after(const std::function<void(Desk&)>& act) {
  return [act](Desk& desk) {
    act(desk);
    desk.settle();
  };
}

// A session holds the images of all results: two are enough.
void keepTwoResults(Desk& desk) {
  std::vector<int> older;
  for (const HistoryEntry& entry : desk.results().entries()) older.push_back(entry.id);
  std::sort(older.begin(), older.end());
  older.resize(older.size() - std::min<std::size_t>(older.size(), 2));
  desk.session.removeResults(older);
  desk.settle();
}

bool hasDialog(Desk& desk) {
  const QList<QDialog*> dialogs = desk.window.findChildren<QDialog*>();
  return std::any_of(dialogs.begin(), dialogs.end(),
                     [](const QDialog* dialog) { return dialog->isVisible(); });
}

}  // namespace

std::vector<FeatureCase> viewCases() {
  return {
      {"slices: scroll and window",
       {},
       [](Desk& d) {
         d.views().image->setMode(DisplayMode::phase);
         d.views().image->setMode(DisplayMode::magnitude);
       },
       isIdle},
      {"volume: maximum", {}, [](Desk& d) { showVolume(d, VolumeMode::maximum); }, isIdle},
      {"volume: surface", {}, [](Desk& d) { showVolume(d, VolumeMode::surface); }, isIdle},
      {"volume: opacity", {}, [](Desk& d) { showVolume(d, VolumeMode::opacity); }, isIdle},
      {"choose another result",
       {},
       [](Desk& d) { d.session.choose(d.results().shown() == 1 ? 2 : 1); },
       isIdle},
      {"compare two results",
       {},
       [](Desk& d) { d.features().compare->setComparing(true); },
       [](Desk& d) { return d.views().comparing() && d.views().comparison->difference(); }},
      {"compare with a reference on another grid",
       [](Desk& d) {
         Image other = nominalImage({80, 72, 64}, "other");
         other.geometry.nominal = false;
         other.geometry.fov = d.views().image->image()->geometry.fov;
         other.data.assign(std::size_t(other.volume()), {1, 0});
         writeImage(other, d.file("other.nii.gz").toStdString(), {}, {});
       },
       [](Desk& d) { d.features().compare->openReference(d.file("other.nii.gz")); },
       [](Desk& d) { return (d.idle() && d.views().comparing()) || !d.failed.isEmpty(); }},
      {"open an image",
       [](Desk& d) { writeImage(*d.views().image->image(), d.file("i.h5").toStdString(), {}, {}); },
       [](Desk& d) { d.window.open(d.file("i.h5")); }, isIdle},
      {"measure a region and a line",
       {},
       [](Desk& d) {
         SliceView& view = *d.views().image->sliceView(Plane::axial);
         for (const auto key : {Qt::Key_O, Qt::Key_L}) QTest::keyClick(&view, key);
       },
       isIdle},
      {"play",
       {},
       [](Desk& d) { QTest::keyClick(d.views().image->sliceView(Plane::axial), Qt::Key_Space); },
       isIdle},
      {"image alone", [](Desk& d) { showDocks(d, true); }, [](Desk& d) { d.trigger("action-image-alone"); },
       [](Desk& d) { return !hasDocks(d); }},
      {"image alone no more", [](Desk& d) { showDocks(d, false); },
       [](Desk& d) { d.trigger("action-image-alone"); }, hasDocks},
      {"find a parameter",
       {},
       [](Desk& d) {
         d.trigger("action-find-parameter");
         d.views().parameters->searchLine()->setText(QStringLiteral("field"));
       },
       [](Desk& d) {
         d.views().parameters->searchLine()->clear();
         return true;
       }},
      {"copy as command line", [](Desk& d) { d.session.choose(d.ownResult()->id); },
       [](Desk& d) { d.trigger("action-copy-command"); }, isIdle},
      {"dialog of files", {}, [](Desk& d) { d.trigger("action-open"); }, hasDialog},
      {"dialog of a simulation", {}, [](Desk& d) { d.trigger("action-simulate"); }, hasDialog},
      {"dialog of sending", {}, [](Desk& d) { d.trigger("action-send"); }, hasDialog},
      {"guide", {}, [](Desk& d) { d.trigger("action-help"); }, isIdle},
      {"keys", {}, [](Desk& d) { d.trigger("action-keys"); }, isIdle},
      {"diagnostics", {}, [](Desk& d) { d.trigger("action-diagnostics"); }, isIdle},
      {"undo and redo",
       {},
       [](Desk& d) {
         d.features().undo->undoAction()->trigger();
         d.features().undo->redoAction()->trigger();
       },
       isIdle},
  };
}
std::vector<FeatureCase> fileCases() {
  return {
      {"save an image",
       {},
       [](Desk& d) {
         d.features().results->saveImage(*d.results().newest(), d.file("image.nii.gz").toStdString());
       },
       wasSaved},
      {"save the scan",
       {},
       [](Desk& d) { d.features().scan->save(d.file("copy.h5").toStdString()); },
       wasSaved},
      {"a report",
       {},
       [](Desk& d) { d.features().report->write(*d.ownResult(), d.file("report").toStdString()); },
       wasSaved},
      {"a surface",
       {},
       [](Desk& d) {
         const Image& image = *d.views().image->image();
         double most = 0;
         for (std::int64_t i = 0; i < image.volume(); ++i) most = std::max(most, std::abs(image.value(i)));
         d.features().volume->saveSurface(d.views().image->image(), 0, most / 2, {0, 1, 0, 1, 0, 1},
                                          d.file("surface.stl").toStdString());
       },
       wasSaved},
      {"trace", {}, [](Desk& d) { d.features().timeline->saveTrace(d.file("trace.json")); }, wasSaved},
      {"save a session", keepTwoResults,
       [](Desk& d) { d.features().workspace->saveTo(d.file("s.spokelab")); },
       [](Desk& d) { return QFile::exists(d.file("s.spokelab")) && !d.features().workspace->isModified(); }},
      {"open a session with 200 runs",
       [](Desk& d) {
         keepTwoResults(d);
         haveManyRuns(d);
         d.features().workspace->saveTo(d.file("many.spokelab"));
         QTRY_VERIFY_WITH_TIMEOUT(
             QFile::exists(d.file("many.spokelab")) && !d.features().workspace->isModified(), patience);
         d.features().charts->restore({}, 0);
         d.settle();
       },
       [](Desk& d) { d.features().workspace->open(d.file("many.spokelab")); },
       [](Desk& d) { return d.idle() && d.features().charts->runs().size() == std::size_t(manyRuns); }},
      onScan(DeskScan::small, {"other readings", {}, [](Desk& d) { d.trigger("action-readings"); }, isIdle}),
      onScan(DeskScan::any, {"simulate",
                             {},
                             [](Desk& d) {
                               SimulateOptions options;
                               options.trajectory.pattern = Pattern::radial3d;
                               options.trajectory.matrix = {48, 48, 48};
                               options.coils = 4;
                               d.features().scan->simulate(options, true);
                             },
                             [](Desk& d) { return d.idle() && d.session.file().isEmpty(); }}),
  };
}

std::vector<FeatureCase> windowCases() {
  std::vector<FeatureCase> cases;
  constexpr std::array layouts{"layout-reconstruct", "layout-profile", "layout-compare", "layout-default"};
  for (std::size_t i = 0; i < layouts.size(); ++i) {
    const char* const layout = layouts[i];
    cases.push_back({layout,
                     after([other = layouts[(i + 1) % layouts.size()]](Desk& d) { d.trigger(other); }),
                     [layout](Desk& d) { d.trigger(layout); }, isIdle});
  }
  const auto hasTheme = [](Desk& d) { return d.window.updatesEnabled(); };
  constexpr std::array themes{"theme-light", "theme-high-contrast", "theme-dark"};
  for (std::size_t i = 0; i < themes.size(); ++i)
    cases.push_back({themes[i],
                     [hasTheme, other = themes[(i + 1) % themes.size()]](Desk& d) {
                       d.trigger(other);
                       QTRY_VERIFY_WITH_TIMEOUT(hasTheme(d), patience);
                       d.settle();
                     },
                     [theme = themes[i]](Desk& d) { d.trigger(theme); }, hasTheme});
  for (const char* dock : {"profile", "explorer-dock", "parameters", "timeline", "stages", "data"}) {
    cases.push_back({dock, after([dock](Desk& d) { d.window.dock(QString::fromLatin1(dock))->hide(); }),
                     [dock](Desk& d) {
                       d.window.dock(QString::fromLatin1(dock))->show();
                       d.window.dock(QString::fromLatin1(dock))->raise();
                     },
                     isIdle});
  }
  const auto floats = [](Desk& d) { d.window.dock(QStringLiteral("profile"))->setFloating(true); };
  const auto putBack = [](Desk& d) { d.window.dock(QStringLiteral("profile"))->setFloating(false); };
  cases.push_back({"a dock that floats", after(putBack), floats, isIdle});
  cases.push_back({"a dock that is put back", after(floats), putBack, isIdle});
  const auto small = [](Desk& d) { d.window.resize(1024, 700); };
  const auto large = [](Desk& d) { d.window.resize(1600, 1000); };
  const auto dusk = [](Desk& d) { d.trigger("maps-dusk"); };
  const auto lagoon = [](Desk& d) { d.trigger("maps-lagoon"); };
  cases.push_back({"a smaller window", after(large), small, isIdle});
  cases.push_back({"a larger window", after(small), large, isIdle});
  cases.push_back({"another colour map of charts", after(lagoon), dusk, isIdle});
  cases.push_back({"the first colour map of charts", after(dusk), lagoon, isIdle});
  return cases;
}

}  // namespace spokelab
