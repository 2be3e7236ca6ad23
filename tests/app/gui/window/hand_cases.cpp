// Cases of what goes into the window and out of it: overlays, arrays from Python, scripts, pictures,
// described arrays.
#include <QLocalSocket>
#include <QSlider>
#include <QTimer>
#include <QtEndian>

#include <algorithm>

#include "app/gui/document/session_script.h"
#include "app/gui/features/image/drag_out_feature.h"
#include "app/gui/features/image/overlay_feature.h"
#include "app/gui/features/scan/show_feature.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/window/feature_cases.h"
#include "tests/app/gui/written_arrays.h"
#include "widgets/core/drag/drag_grip.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/over_bar.h"
#include "widgets/recon/scan/describe_dialog.h"
#include "widgets/recon/scan/reading_list.h"

namespace spokelab {
namespace {

constexpr int shownSide = 96;  // pixels of a volume from Python, 7 MB
constexpr int sliderSteps = 40;

bool lies(Desk& desk) {
  return desk.features().overlay->bar()->isVisible();
}

void layFile(Desk& desk) {
  const QString file = desk.file("over.nii");
  if (!QFile::exists(file)) {
    WriteOptions how;
    how.part = ComplexPart::magnitude;
    writeImage(*desk.ownResult()->result->image, file.toStdString(), how, {});
  }
  desk.features().overlay->open(file);
}

void haveOverlay(Desk& desk) {
  layFile(desk);
  QTRY_VERIFY_WITH_TIMEOUT(lies(desk), patience);
  desk.settle();
}

void haveNoOverlay(Desk& desk) {
  desk.features().overlay->remove();
  desk.settle();
}

// Each step is drawn before the next one.
void drag(QSlider& slider) {
  const int from = slider.minimum(), to = slider.maximum();
  for (int step = 0; step <= sliderSteps; ++step)
    QTimer::singleShot(step, &slider, [&slider, value = from + (to - from) * step / sliderSteps] {
      slider.setValue(value);
    });
}

// As spokelab.show() sends it.
QByteArray imageMessage() {
  const QByteArray header = QStringLiteral(R"({"format":"spokelab-show-1","name":"sent","arrays":[)"
                                           R"({"name":"image","dtype":"complex64","shape":[%1,%1,%1]}]})")
                                .arg(shownSide)
                                .toUtf8();
  QByteArray length(4, '\0');
  qToLittleEndian(quint32(header.size()), length.data());
  return "SPOKESHW" + length + header +
         QByteArray(qsizetype(shownSide) * shownSide * shownSide * qsizetype(sizeof(cfloat)), '\0');
}

// The sender is another process; here it sends from the same loop, in the pieces that the socket takes.
void send(Desk& desk) {
  auto* socket = new QLocalSocket(&desk.window);
  QObject::connect(socket, &QLocalSocket::connected, socket, [socket] { socket->write(imageMessage()); });
  QObject::connect(socket, &QLocalSocket::disconnected, socket, &QObject::deleteLater);
  socket->connectToServer(desk.features().show->socketName());
}

void listen(Desk& desk) {
  if (desk.features().show->socketName().isEmpty())
    desk.features().show->listenIn(desk.file("sockets").toStdString());
}

bool isSent(Desk& desk) {
  const auto& entries = desk.session.results().entries();
  return desk.idle() && std::any_of(entries.begin(), entries.end(), [](const HistoryEntry& entry) {
           return entry.result->plan.description == "sent";
         });
}

void keepScripts(Desk& desk) {
  desk.features().script->keepIn(desk.file("scripts").toStdString());
}

DescribeDialog* described(Desk& desk) {
  for (auto* dialog : desk.window.findChildren<DescribeDialog*>())
    if (dialog->isVisible()) return dialog;
  return nullptr;
}

}  // namespace

std::vector<FeatureCase> handCases() {
  return {
      {"lay an image over", haveNoOverlay, layFile, lies},
      {"opacity of what lies over", haveOverlay, [](Desk& d) { drag(*d.child<QSlider>("overOpacity")); },
       [](Desk& d) {
         const auto& slider = *d.child<QSlider>("overOpacity");
         return slider.value() == slider.maximum();
       }},
      {"slices with an image over them", haveOverlay,
       [](Desk& d) {
         for (std::int64_t z = 0; z < shownSide; z += 8) d.views().image->setCursorIndex({10, 10, z});
       },
       isIdle},
      {"another result below what lies over", haveOverlay,
       [](Desk& d) { d.session.choose(d.results().shown() == 1 ? 2 : 1); }, isIdle},
      {"nothing lies over any more", haveOverlay, [](Desk& d) { d.features().overlay->remove(); }, isIdle},
      {"an array from Python", listen, send, isSent},
      {"a session that is kept as scripts", keepScripts, [](Desk& d) { d.features().reconstruct->run(); },
       [](Desk& d) { return d.idle() && std::filesystem::exists(d.features().script->keptShell()); }},
      {"save a script", {}, [](Desk& d) { d.features().script->save(d.file("session.py")); }, wasSaved},
      {"copy the picture of the views", {}, [](Desk& d) { d.trigger("action-copy-picture"); }, isIdle},
      {"copy a chart", {}, [](Desk& d) { d.child<DragGrip>("drag-time-over-alpha")->click(); }, isIdle},
      {"describe arrays",
       [](Desk& d) {
         if (!QFile::exists(d.file("ksp.npy"))) writeArrays(d.folder);
       },
       [](Desk& d) { d.window.open(d.file("ksp.npy")); },
       [](Desk& d) {
         const DescribeDialog* dialog = described(d);
         return dialog && d.idle() && dialog->readings()->count() > 0;
       }},
  };
}

}  // namespace spokelab
