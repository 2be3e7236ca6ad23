#include "app/gui/report/report_pdf.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QEventLoop>
#include <QImage>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSvgRenderer>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextObjectInterface>

#include <map>

#include "app/gui/report/report.h"
#include "engine/profile/report/report_html.h"
#include "widgets/core/chart_theme.h"

namespace spokelab {
namespace {

constexpr int unitsPerInch = 96, dotsPerInch = 1200;
constexpr double margin = 52, footer = 26;                                    // in units
constexpr double maxPictureHeight = 430, maxMapHeight = 210, barHeight = 22;  // in units
// Above a figure, in units: Qt begins a figure that it moves to the next page a little above that
// page, where the page before would show a strip of it.
constexpr double roomAbove = 3;
constexpr double chartShare = 0.92;  // of the text's width
constexpr int figureType = QTextFormat::UserObject + 1, figureName = QTextFormat::UserProperty + 1;

const char* const paperStyle =
    "body{color:#1b1f24}h1{font-size:24px}h2{font-size:16px}p.soft,td.soft,caption,figcaption{color:#5b6570}"
    "th,td{padding:2px 6px 2px 0;font-size:10px}th{text-align:left;font-weight:600}td.n,th.n{text-align:right}"
    "tr.best td{background-color:#e7f3ea}tr.differs td{background-color:#fbe5e3}"
    "pre{font-size:10px;white-space:pre-wrap}";

struct Figures {
  std::map<QString, std::shared_ptr<QSvgRenderer>> charts;
  std::map<QString, QImage> pictures;
  StageTimings stages;
  double width = 0;  // of the text
};

#ifdef Q_MOC_RUN  // which reads this file alone
Q_DECLARE_INTERFACE(QTextObjectInterface, "org.qt-project.Qt.QTextObjectInterface")
#endif

class FigureObject final : public QObject, public QTextObjectInterface {
  Q_OBJECT
  Q_INTERFACES(QTextObjectInterface)

 public:
  explicit FigureObject(const Figures& figures) : figures_(figures) {}

  QSizeF intrinsicSize(QTextDocument*, int, const QTextFormat& format) override {
    const QString name = format.stringProperty(figureName);
    if (name == QString::fromUtf8(stagesFigure)) return {figures_.width, barHeight + roomAbove};
    QSizeF size = pictureOf(name).size();
    double maxHeight = name == QString::fromUtf8(pictureFigure) ? maxPictureHeight : maxMapHeight;
    if (const auto chart = figures_.charts.find(name); chart != figures_.charts.end()) {
      size = chart->second->viewBoxF().size();
      maxHeight = chartShare * size.height() * figures_.width / size.width();
    }
    size = size.scaled(figures_.width, maxHeight, Qt::KeepAspectRatio);
    return {size.width(), size.height() + roomAbove};
  }

  void drawObject(QPainter* painter, const QRectF& place, QTextDocument*, int,
                  const QTextFormat& format) override {
    const QRectF rectangle = place.adjusted(0, roomAbove, 0, 0);
    if (!painter->clipBoundingRect().intersects(rectangle)) return;  // its page is the next one
    const QString name = format.stringProperty(figureName);
    if (name == QString::fromUtf8(stagesFigure)) return drawStages(*painter, rectangle);
    if (const auto chart = figures_.charts.find(name); chart != figures_.charts.end())
      return chart->second->render(painter, rectangle);
    painter->drawImage(rectangle, pictureOf(name));  // pixels stay pixels
  }

 private:
  QImage pictureOf(const QString& name) const {
    const auto found = figures_.pictures.find(name);
    return found == figures_.pictures.end() ? QImage() : found->second;
  }
  void drawStages(QPainter& painter, const QRectF& rectangle) const {
    const StageTimings& t = figures_.stages;
    const ChartTheme theme = ChartTheme::onPaper();
    double left = rectangle.left();
    for (const auto& [seconds, colour] :
         {std::pair{t.interpolation(), theme.interpolation}, {t.fft(), theme.fft}, {t.rest(), theme.rest}}) {
      const double width = t.total > 0 ? rectangle.width() * seconds / t.total : 0;
      painter.fillRect(QRectF(left, rectangle.top() + 3, width, rectangle.height() - 6), colour);
      left += width;
    }
  }

  const Figures& figures_;
};

// Figures stand in the text as [[name]].
void placeFigures(QTextDocument& document, const Figures& figures) {
  const auto place = [&](const QString& name) {
    QTextCursor found = document.find(QStringLiteral("[[%1]]").arg(name));
    if (found.isNull()) return;
    QTextCharFormat format;
    format.setObjectType(figureType);
    format.setProperty(figureName, name);
    found.insertText(QString(QChar::ObjectReplacementCharacter), format);
  };
  for (const auto& chart : figures.charts) place(chart.first);
  for (const auto& picture : figures.pictures) place(picture.first);
  place(QString::fromUtf8(stagesFigure));
}

int pageOf(const QTextDocument& document, const QTextBlock& block) {
  double top = document.documentLayout()->blockBoundingRect(block).top();
  if (block.layout()->lineCount() > 0) top += block.layout()->lineAt(0).y();  // moved past a page's end
  return int(top / document.pageSize().height());
}

void keepHeadings(QTextDocument& document) {
  for (QTextBlock block = document.begin(); block.isValid(); block = block.next()) {
    const QTextBlock next = block.next();
    if (block.blockFormat().headingLevel() == 0 || !next.isValid() ||
        pageOf(document, next) == pageOf(document, block))
      continue;
    QTextBlockFormat format = block.blockFormat();
    format.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
    QTextCursor(block).setBlockFormat(format);
  }
}

void paintPages(QTextDocument& document, QPdfWriter& writer, const QSizeF& page, const QString& title) {
  QPainter painter(&writer);
  painter.setRenderHint(QPainter::LosslessImageRendering);  // else the image is compressed as JPEG
  constexpr double scale = double(dotsPerInch) / unitsPerInch;
  painter.scale(scale, scale);
  const QSizeF text = document.pageSize();
  QFont small = document.defaultFont();
  small.setPixelSize(10);
  const int pages = document.pageCount();
  for (int i = 0; i < pages; ++i) {
    if (i > 0) writer.newPage();
    painter.save();
    painter.translate(margin, margin - i * text.height());
    const QRectF shown(0, i * text.height(), text.width(), text.height());
    painter.setClipRect(shown);
    QAbstractTextDocumentLayout::PaintContext context;
    context.clip = shown;
    context.palette.setColor(QPalette::Text, Qt::black);
    document.documentLayout()->draw(&painter, context);
    painter.restore();
    painter.setFont(small);
    painter.setPen(ChartTheme::onPaper().muted);
    const QRectF line(margin, page.height() - margin, text.width(), footer);
    painter.drawText(line, int(Qt::AlignLeft | Qt::AlignTop), title);
    painter.drawText(line, int(Qt::AlignRight | Qt::AlignTop),
                     QStringLiteral("%1 / %2").arg(i + 1).arg(pages));
  }
}

QSizeF pageOfPaper() {
  return QPageSize(QPageSize::A4).size(QPageSize::Inch) * unitsPerInch;
}

// body: HTML with the figures' names. The figures' width is set here.
std::string drawPages(const std::string& body, Figures& figures, const QString& title) {
  const auto application = applicationIfNone();
  const QEventLoop loop;  // the layout of texts has timers, which need one in a thread that is not Qt's
  const QSizeF page = pageOfPaper();
  figures.width = page.width() - 2 * margin;
  FigureObject object(figures);
  QTextDocument text;
  QFont font = text.defaultFont();
  font.setPixelSize(11);
  text.setDefaultFont(font);
  text.setDocumentMargin(0);
  text.setDefaultStyleSheet(QString::fromUtf8(paperStyle));
  text.documentLayout()->registerHandler(figureType, &object);
  text.setHtml(QString::fromStdString("<body>" + body + "</body>"));
  placeFigures(text, figures);
  text.setPageSize({figures.width, page.height() - 2 * margin - footer / 2});
  keepHeadings(text);

  QBuffer buffer;
  buffer.open(QIODevice::WriteOnly);
  {
    QPdfWriter writer(&buffer);
    writer.setResolution(dotsPerInch);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF(0, 0, 0, 0));
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Spokelab"));
    paintPages(text, writer, page, writer.title());
  }
  return buffer.data().toStdString();
}

void addChart(Figures& figures, const std::string& name, const std::string& svg) {
  figures.charts[QString::fromStdString(name)] =
      std::make_shared<QSvgRenderer>(QByteArray::fromStdString(svg));
}

void addPicture(Figures& figures, const std::string& name, const std::string& png) {
  QImage& picture = figures.pictures[QString::fromStdString(name)];
  picture.loadFromData(reinterpret_cast<const uchar*>(png.data()), int(png.size()), "PNG");
}

}  // namespace

std::string reportPdf(const Report& report, const nlohmann::json& document, const std::string& png) {
  const auto application = applicationIfNone();
  Figures figures;
  addPicture(figures, pictureFigure, png);
  for (const ReportFile& map : report.noisePictures) addPicture(figures, map.name, map.content);
  figures.stages = report.result->timings;
  for (const ReportFile& chart : report.charts)
    if (chart.name.ends_with(".svg")) addChart(figures, chart.name, chart.content);
  return drawPages(reportBody(report, document, ReportFigures::named), figures,
                   QString::fromStdString(report.scan->name) + QStringLiteral(" – Spokelab report"));
}

std::string studyPdf(const StudyPageParts& page, const std::string& title) {
  const auto application = applicationIfNone();
  Figures figures;
  for (const auto& [name, svg] : page.figures) addChart(figures, name, svg);
  return drawPages(page.body, figures, QString::fromStdString(title) + QStringLiteral(" – Spokelab"));
}

}  // namespace spokelab

#include "report_pdf.moc"
