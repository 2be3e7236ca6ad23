// Arrays from other processes: spokelab.show() in any Python sends an image, a series or a scan
// over a local socket that belongs to the user alone, and gets the result's number, the region and
// the parameters back.
#pragma once

#include <filesystem>
#include <map>

#include "app/gui/features/feature.h"
#include "app/gui/features/scan/shown_message.h"

class QLocalServer;
class QLocalSocket;

namespace spokelab {

class ShowFeature : public Feature {
  Q_OBJECT

 public:
  ShowFeature(Session& session, const Views& views, QObject* parent);

  // A socket "window-PID.sock" in this folder of the user's alone. A failure is a line of the log.
  void listenIn(const std::filesystem::path& folder);
  QString socketName() const;  // empty: does not listen

  // $XDG_RUNTIME_DIR/spokelab, else "windows" in the user's cache; empty without either.
  static std::filesystem::path defaultFolder();

 Q_SIGNALS:
  void imageShown(std::shared_ptr<const spokelab::Reconstruction> image);

 private:
  struct Guest {
    QByteArray received;
    std::optional<ShownHeader> header;
    int job = 0;  // 0: not yet
  };
  void welcome();
  void take(QLocalSocket* socket);
  void show(QLocalSocket* socket, Guest& guest);
  void answer(QLocalSocket* socket, int result);
  void refuse(QLocalSocket* socket, const QString& what, const QString& why);
  void reply(QLocalSocket* socket, const std::string& json);

  QLocalServer* server_;
  std::map<QLocalSocket*, Guest> guests_;
};

}  // namespace spokelab
