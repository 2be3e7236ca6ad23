#include "app/gui/document/window_state.h"

#include <QAction>

#include <algorithm>
#include <array>
#include <optional>

#include "app/gui/features/image/compare_feature.h"
#include "app/gui/features/profile/charts_feature.h"
#include "app/gui/features/recon/reconstruct_feature.h"
#include "app/gui/features/window_layout.h"
#include "engine/profile/results/results.h"
#include "engine/profile/session/saved_session.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/display/measurement.h"
#include "widgets/image/image_panel.h"
#include "widgets/profile/explorer_view.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"
#include "widgets/trajectory/trajectory_view.h"

namespace spokelab {
namespace {

const QString imagePrefix = QStringLiteral("image/"), comparePrefix = QStringLiteral("compare/"),
              explorerPrefix = QStringLiteral("explorer/");

void put(std::map<std::string, std::string>& all, const QString& prefix, const ViewState& state) {
  for (auto it = state.begin(); it != state.end(); ++it)
    all[(prefix + it.key()).toStdString()] = it.value().toStdString();
}

ViewState part(const std::map<std::string, std::string>& all, const QString& prefix) {
  ViewState state;
  for (const auto& [name, value] : all)
    if (const QString key = QString::fromStdString(name); key.startsWith(prefix))
      state[key.mid(prefix.size())] = QString::fromStdString(value);
  return state;
}

std::string packed(const QByteArray& bytes) {
  return bytes.toBase64().toStdString();
}

QByteArray unpacked(const ViewState& state, const char* name) {
  return QByteArray::fromBase64(state.value(QString::fromLatin1(name)).toLatin1());
}

QString regionKey(int place, const char* what) {
  return QStringLiteral("region-%1-%2").arg(place).arg(QLatin1String(what));
}

// Keeps each region with the grid on which it was drawn, which gives its place in mm.
void captureRegions(const MeasuredRegions& regions, std::map<std::string, std::string>& view) {
  int place = 0;
  for (const NamedRegion& one : regions.all) {
    const auto put = [&](const char* what, const QString& value) {
      view[regionKey(place, what).toStdString()] = value.toStdString();
    };
    const ImageRegion& r = one.drawn;
    put("name", one.name);
    put("colour", QString::number(one.colour));
    put("shape", numbersText({double(r.low[0]), double(r.low[1]), double(r.low[2]), double(r.high[0]),
                              double(r.high[1]), double(r.high[2]), double(r.ellipse), double(r.through)}));
    put("pixels", numbersText({double(one.grid.size[0]), double(one.grid.size[1]), double(one.grid.size[2]),
                               one.grid.spacing[0], one.grid.spacing[1], one.grid.spacing[2]}));
    if (one.id == regions.current) view["current-region"] = std::to_string(place);
    ++place;
  }
}

std::optional<ImageRegion> shapeFrom(const QString& text) {
  const auto r = numbersOf(text, 8);
  if (r.empty()) return std::nullopt;
  return ImageRegion{{std::int64_t(r[0]), std::int64_t(r[1]), std::int64_t(r[2])},
                     {std::int64_t(r[3]), std::int64_t(r[4]), std::int64_t(r[5])},
                     r[6] != 0,
                     std::clamp(int(r[7]), 0, 2)};
}

// Sessions of earlier versions have one region without a name.
MeasuredRegions regionsFrom(const ViewState& state) {
  constexpr int mostRegions = 1000;
  MeasuredRegions regions;
  for (int place = 0; place < mostRegions; ++place) {
    const auto shape = shapeFrom(state.value(regionKey(place, "shape")));
    if (!shape) break;
    NamedRegion one;
    one.id = place + 1;
    one.name = state.value(regionKey(place, "name"));
    one.colour = state.value(regionKey(place, "colour")).toInt();
    one.region = shape;
    one.drawn = *shape;
    const auto pixels = numbersOf(state.value(regionKey(place, "pixels")), 6);
    if (!pixels.empty() && pixels[3] > 0 && pixels[4] > 0 && pixels[5] > 0)
      one.grid = {{std::int64_t(pixels[0]), std::int64_t(pixels[1]), std::int64_t(pixels[2])},
                  {pixels[3], pixels[4], pixels[5]}};
    regions.all.push_back(one);
  }
  bool known = false;
  const int current = state.value(QStringLiteral("current-region")).toInt(&known);
  if (known) regions.current = current + 1;
  if (const auto old = shapeFrom(state.value(QStringLiteral("measured-region")));
      old && regions.all.empty()) {
    NamedRegion one;
    one.id = regions.current = 1;
    one.name = WindowState::tr("Region 1");
    one.region = old;
    one.drawn = *old;
    regions.all.push_back(one);
  }
  return regions;
}

// A result whose image was not kept cannot be listed, only made again.
bool isWhole(const SavedResult& entry) {
  return entry.result && entry.result->image;
}

}  // namespace

WindowState::WindowState(Session& session, const Views& views, ChartsFeature& charts, CompareFeature& compare,
                         ReconstructFeature& reconstruct, QObject* parent)
    : Feature(session, views, parent), charts_(charts), compare_(compare), reconstruct_(reconstruct) {
}

SavedSession WindowState::capture() {
  SavedSession saved;
  const auto scan = session_.scan();
  if (scan) {
    const std::string file = session_.file().toStdString();
    saved.scan =
        SavedScan{scan->name,         file, scan->fingerprint, session_.overrides(), session_.simulation(),
                  session_.separate()};
  }
  saved.options = optionValues(views_.parameters->options());
  const HistoryModel& results = session_.results();
  for (const HistoryEntry& entry : results.entries())
    saved.results.push_back({entry.id, entry.scan.toStdString(), scan && entry.source.lock() == scan,
                             entry.result, entry.name.toStdString()});
  saved.shown = results.shown();
  saved.reference = results.reference();
  saved.pinned = session_.isReferencePinned();
  saved.runs = charts_.runs();
  saved.chosenRun = charts_.chosen();
  captureView(saved.view);
  return saved;
}

void WindowState::captureView(std::map<std::string, std::string>& view) {
  put(view, imagePrefix, views_.image->viewState());
  if (views_.comparing()) put(view, comparePrefix, views_.comparison->viewState());
  put(view, explorerPrefix, views_.explorer->viewState());
  captureRegions(views_.measurement->regions(), view);
  if (const auto& line = views_.measurement->line())
    view["measured-line"] = numbersText({line->from[0], line->from[1], line->from[2], line->to[0],
                                         line->to[1], line->to[2], double(line->through)})
                                .toStdString();
  view["comparing"] = flagText(views_.comparing()).toStdString();
  view["reconstruct-on-open"] = flagText(reconstruct_.automaticAction()->isChecked()).toStdString();
  view["trajectory-colour"] = std::to_string(int(views_.trajectory->colourBy()));
  view["geometry"] = packed(views_.layout->geometry());
  view["docks"] = packed(views_.layout->docks());
}

void WindowState::apply(const SavedSession& saved) {
  std::vector<std::string> unknown;
  views_.parameters->setOptions(optionsFromValues(saved.options, unknown));
  for (const std::string& what : unknown)
    views_.log->append(LogLevel::warning,
                       tr("An option was left at its default: %1").arg(QString::fromStdString(what)));
  std::vector<HistoryEntry> entries;
  for (const SavedResult& entry : saved.results)
    if (isWhole(entry))
      entries.push_back({entry.id, QString::fromStdString(entry.scan), entry.result,
                         entry.ofScan ? session_.scan() : nullptr, QString::fromStdString(entry.title)});
  session_.setResults(std::move(entries));
  session_.show(saved.shown);
  session_.setReference(saved.reference, saved.pinned);
  charts_.restore(saved.runs, saved.chosenRun);
  applyView(saved.view);
  makeAgain(saved);
}

// The shown result, where its image was lost (a kill while it was written, a file that is gone).
void WindowState::makeAgain(const SavedSession& saved) {
  for (const SavedResult& entry : saved.results) {
    if (entry.id != saved.shown || isWhole(entry) || !entry.ofScan || !session_.scan()) continue;
    const Reconstruction& result = *entry.result;
    const auto backends = session_.backends();
    const bool here = std::any_of(backends.begin(), backends.end(),
                                  [&](const Backend* b) { return b->name() == result.plan.backend; });
    if (isImported(result)) continue;
    views_.log->append(LogLevel::information,
                       tr("Result %1 is made again: its image was not kept").arg(entry.id));
    if (!here || result.options.exact) {
      reconstruct_.reconstruct(result.options);
    } else {
      Candidate plan;
      plan.backend = result.plan.backend;
      plan.options = result.plan.options;
      reconstruct_.reconstructWith(plan, result.options);
    }
  }
}

void WindowState::applyView(const std::map<std::string, std::string>& view) {
  const ViewState own = part(view, QString());
  reconstruct_.automaticAction()->setChecked(
      flagOf(own, QStringLiteral("reconstruct-on-open"), reconstruct_.automaticAction()->isChecked()));
  bool ok = false;
  const int colour = own.value(QStringLiteral("trajectory-colour")).toInt(&ok);
  if (ok && colour >= 0 && colour <= int(TrajectoryColour::magnitude))
    views_.trajectory->setColourBy(TrajectoryColour(colour));
  // A separate event: results, runs and docks together would take too long.
  QMetaObject::invokeMethod(
      views_.layout,
      [layout = views_.layout, geometry = unpacked(own, "geometry"), docks = unpacked(own, "docks")] {
        layout->restore(geometry, docks);
      },
      Qt::QueuedConnection);
  views_.measurement->setRegions(regionsFrom(own));
  const auto l = numbersOf(own.value(QStringLiteral("measured-line")), 7);
  views_.measurement->setLine(
      l.empty()
          ? std::nullopt
          : std::optional(MeasuredLine{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}, std::clamp(int(l[6]), 0, 2)}));
  views_.image->setViewState(part(view, imagePrefix));
  views_.explorer->setViewState(part(view, explorerPrefix));
  compare_.setComparing(flagOf(own, QStringLiteral("comparing"), false));
  if (views_.comparing()) views_.comparison->setViewState(part(view, comparePrefix));
}

}  // namespace spokelab
