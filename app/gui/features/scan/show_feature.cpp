#include "app/gui/features/scan/show_feature.h"

#include <QCoreApplication>
#include <QFile>
#include <QLocalServer>
#include <QLocalSocket>
#include <QPointer>

#include <nlohmann/json.hpp>

#include "engine/core/error.h"
#include "engine/core/user_folder.h"
#include "engine/recon/options/option_rules.h"
#include "widgets/image/display/measurement.h"
#include "widgets/recon/jobs/log_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

constexpr JobKind showImageJob{.name = "show image"};
constexpr int maxGuests = 8;

std::shared_ptr<const Reconstruction> resultOf(const ShownHeader& header, const QByteArray& message) {
  auto result = std::make_shared<Reconstruction>();
  result->image = shownImage(header, message);
  result->origin = ResultOrigin::file;
  result->plan.description = header.name;
  result->density = "of Python";
  result->notes.emplace_back("sent by spokelab.show()");
  return result;
}

nlohmann::json shapeOf(const std::optional<ImageRegion>& region) {
  if (!region) return nullptr;
  return {{"kind", region->ellipse ? "ellipse" : "box"},
          {"low", {region->low[2], region->low[1], region->low[0]}},  // z, y, x, as arrays of Python
          {"high", {region->high[2], region->high[1], region->high[0]}}};
}

nlohmann::json regionsOf(const Measurement& measurement) {
  nlohmann::json all = nlohmann::json::array();
  for (const NamedRegion& one : measurement.regions().all) {
    if (!one.region) continue;
    nlohmann::json shape = shapeOf(one.region);
    shape["name"] = one.name.toStdString();
    all.push_back(shape);
  }
  return all;
}

nlohmann::json parametersOf(const ReconOptions& options) {
  nlohmann::json changed = nlohmann::json::object();
  for (const auto& [spec, value] : changedOptions(options)) changed[spec->name] = value;
  return changed;
}

}  // namespace

ShowFeature::ShowFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), server_(new QLocalServer(this)) {
  server_->setSocketOptions(QLocalServer::UserAccessOption);
  server_->setMaxPendingConnections(maxGuests);
  connect(server_, &QLocalServer::newConnection, this, &ShowFeature::welcome);
  connect(&session_.jobs(), &JobQueue::jobChanged, this, [this](const JobState& state) {
    if (state.status != JobStatus::cancelled) return;
    for (auto& [socket, guest] : guests_)
      if (guest.job == state.id) return refuse(socket, tr("Cancelled"), tr("the window cancelled it"));
  });
}

std::filesystem::path ShowFeature::defaultFolder() {
  if (const auto runtime = pathVariable("XDG_RUNTIME_DIR"); !runtime.empty()) return runtime / "spokelab";
  const auto cache = userCache();
  return cache.empty() ? cache : cache / "windows";
}

void ShowFeature::listenIn(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  if (folder.empty()) return;
  std::error_code failed;
  fs::create_directories(folder, failed);
  fs::permissions(folder, fs::perms::owner_all, failed);
  const QString name = QString::fromStdString(folder.string()) +
                       QStringLiteral("/window-%1.sock").arg(QCoreApplication::applicationPid());
  QLocalServer::removeServer(name);  // of an earlier process of this number
  const bool isOpen = !failed && server_->listen(name);
  if (isOpen && QFile::setPermissions(name, QFileDevice::ReadOwner | QFileDevice::WriteOwner)) return;
  server_->close();
  views_.log->append(LogLevel::warning,
                     tr("Python cannot show arrays in this window: %1")
                         .arg(failed ? QString::fromStdString(failed.message()) : server_->errorString()));
}

QString ShowFeature::socketName() const {
  return server_->isListening() ? server_->fullServerName() : QString();
}

void ShowFeature::welcome() {
  while (QLocalSocket* socket = server_->nextPendingConnection()) {
    connect(socket, &QLocalSocket::disconnected, this, [this, socket] {
      guests_.erase(socket);
      socket->deleteLater();
    });
    if (guests_.size() >= maxGuests) {
      socket->abort();
      continue;
    }
    guests_[socket];
    connect(socket, &QLocalSocket::readyRead, this, [this, socket] { take(socket); });
    take(socket);
  }
}

void ShowFeature::take(QLocalSocket* socket) {
  const auto found = guests_.find(socket);
  if (found == guests_.end()) return;
  Guest& guest = found->second;
  try {
    const QByteArray more = socket->readAll();
    if (guest.job != 0) return;  // one message a connection
    guest.received += more;
    if (!guest.header) guest.header = readShownHeader(guest.received);
    if (guest.header && guest.received.size() >= guest.header->length) show(socket, guest);
  } catch (const Error& error) {
    refuse(socket, QString::fromStdString(error.summary()), QString::fromStdString(error.reason()));
  }
}

void ShowFeature::show(QLocalSocket* socket, Guest& guest) {
  const auto header = std::make_shared<const ShownHeader>(*guest.header);
  const auto message = std::make_shared<const QByteArray>(std::move(guest.received));
  const QPointer<QLocalSocket> waiting(socket);
  const auto tell = [this, waiting](const Error& error) {
    const Failure failure = failureOf(error);
    return [this, waiting, failure] {
      if (waiting) refuse(waiting, failure.summary, failure.reason);
      Q_EMIT session_.failed(failure);
    };
  };
  const QString title = tr("Show %1").arg(QString::fromStdString(header->name));
  if (header->isScan()) {
    guest.job = session_.jobs().submit(
        JobKind::open, title,
        [this, header, message, waiting, tell](const JobContext&) -> JobQueue::Delivery {
          try {
            const auto scan = shownScan(*header, *message);
            return [this, scan, waiting] {
              session_.setScan({scan, {}, {}, {}});
              if (waiting) answer(waiting, 0);
            };
          } catch (const Error& error) {
            return tell(error);
          }
        });
    return;
  }
  guest.job = session_.jobs().submit(
      showImageJob, title, [this, header, message, waiting](const JobContext&) -> JobQueue::Delivery {
        const auto result = resultOf(*header, *message);
        return [this, result, waiting] {
          Q_EMIT imageShown(result);
          const HistoryEntry* shown = session_.shown();
          if (waiting) answer(waiting, shown && shown->result == result ? shown->id : 0);
        };
      });
}

void ShowFeature::answer(QLocalSocket* socket, int result) {
  reply(socket, nlohmann::json{{"result", result},
                               {"region", shapeOf(views_.measurement->region())},
                               {"regions", regionsOf(*views_.measurement)},
                               {"parameters", parametersOf(views_.parameters->options())}}
                    .dump());
}

void ShowFeature::refuse(QLocalSocket* socket, const QString& what, const QString& why) {
  reply(socket, nlohmann::json{{"error", (what + QStringLiteral(": ") + why).toStdString()}}.dump(
                    -1, ' ', false, nlohmann::json::error_handler_t::replace));
}

// Answers with one line and ends the connection.
void ShowFeature::reply(QLocalSocket* socket, const std::string& json) {
  guests_.erase(socket);
  socket->write(QByteArray::fromStdString(json + '\n'));
  socket->flush();
  socket->disconnectFromServer();
}

}  // namespace spokelab
