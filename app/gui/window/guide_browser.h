// Shows pages of the guide once a worker has read their pictures: some have over twenty.
#pragma once

#include <QHash>
#include <QImage>
#include <QTextBrowser>
#include <QUrl>

#include "widgets/core/latest_job.h"

namespace spokelab {

class GuideBrowser : public QTextBrowser {
  Q_OBJECT

 public:
  explicit GuideBrowser(QWidget* parent = nullptr);

  // A page that was asked for and is not shown yet will not be.
  void stay() { reading_.drop(); }

  QVariant loadResource(int type, const QUrl& name) override;

 protected:
  void doSetSource(const QUrl& url, QTextDocument::ResourceType type) override;

 private:
  using Pictures = QHash<QUrl, QImage>;

  int widestPicture() const;  // logical pixels

  Pictures pictures_;  // of the page that is shown, as wide as it at most
  LatestJob<Pictures> reading_;
};

}  // namespace spokelab
