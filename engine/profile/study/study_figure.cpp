#include "engine/profile/study/study_figure.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "engine/core/text.h"
#include "engine/profile/study/claims/claims.h"

namespace spokelab {
namespace {

constexpr double figureWidth = 720, plotHeight = 300, plotLeft = 74, plotRight = 14, plotTop = 14,
                 plotBelow = 52;
constexpr double legendRow = 18, legendColumn = 230;
constexpr std::array colours = {"#2a6fbb", "#d1602f", "#2f8f5b", "#8a57b0",
                                "#b58a1b", "#c0406f", "#4d8b9b", "#6b6f76"};

std::string coordinate(double v) {
  return fixedText(v, 1);
}

std::string svgText(const std::string& text) {
  std::string out;
  for (const char c : text)
    out += c == '&' ? "&amp;" : c == '<' ? "&lt;" : c == '>' ? "&gt;" : std::string(1, c);
  return out;
}

// An axis from the least to the largest value, with some room; ticks at round numbers.
class FigureAxis {
 public:
  FigureAxis(bool isLog, double from, double to) : log_(isLog), from_(from), to_(to) {}

  void take(double value) {
    if (!std::isfinite(value) || (log_ && !(value > 0))) return;
    low_ = std::min(low_, value);
    high_ = std::max(high_, value);
  }
  bool known() const { return low_ <= high_; }
  bool shows(double value) const { return std::isfinite(value) && (!log_ || value > 0); }
  void close(bool fromZero) {
    constexpr double room = 0.06;
    if (log_) {
      const double span = std::max(0.1, std::log10(high_ / low_));
      low_ *= std::pow(10, -room * span);
      high_ *= std::pow(10, room * span);
      return;
    }
    const double span = high_ > low_ ? high_ - low_ : std::max(1.0, std::abs(high_));
    low_ = fromZero && low_ >= 0 ? 0 : low_ - room * span;
    high_ += room * span;
  }
  double place(double value) const {
    const double share =
        log_ ? std::log(value / low_) / std::log(high_ / low_) : (value - low_) / (high_ - low_);
    return from_ + share * (to_ - from_);
  }
  std::vector<double> ticks() const {
    constexpr int wanted = 6;
    std::vector<double> tickValues;
    if (log_ && high_ / low_ > 8) {
      for (double decade = std::pow(10, std::floor(std::log10(low_))); decade <= high_; decade *= 10)
        for (const double digit : high_ / low_ > 1e3 ? std::vector<double>{1} : std::vector<double>{1, 2, 5})
          if (digit * decade >= low_ && digit * decade <= high_) tickValues.push_back(digit * decade);
      return tickValues;
    }
    const double raw = (high_ - low_) / wanted, decade = std::pow(10, std::floor(std::log10(raw)));
    double step = decade;
    for (const double factor : {2.0, 5.0, 10.0})
      if (step < raw) step = factor * decade;
    for (double t = std::ceil(low_ / step) * step; t <= high_; t += step)
      tickValues.push_back(std::abs(t) < step / 100 ? 0 : t);
    return tickValues;
  }

 private:
  bool log_;
  double from_, to_, low_ = HUGE_VAL, high_ = -HUGE_VAL;
};

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return "<text x=\"" + coordinate(x) + "\" y=\"" + coordinate(y) + "\" text-anchor=\"" + anchor + "\">" +
         svgText(text) + "</text>\n";
}

std::string lineFrom(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line x1=\"" + coordinate(x1) + "\" y1=\"" + coordinate(y1) + "\" x2=\"" + coordinate(x2) +
         "\" y2=\"" + coordinate(y2) + "\" " + style + "/>\n";
}

std::string axesOf(const StudyAxes& axes, const FigureAxis& x, const FigureAxis& y) {
  const double bottom = plotTop + plotHeight;
  std::string svg;
  for (const double t : y.ticks()) {
    svg += lineFrom(plotLeft, y.place(t), figureWidth - plotRight, y.place(t), "stroke=\"#dfe3e8\"");
    svg += textAt(plotLeft - 6, y.place(t) + 4, "end", numberText(t, 3));
  }
  if (axes.categories.empty())
    for (const double t : x.ticks()) {
      svg += lineFrom(x.place(t), bottom, x.place(t), bottom + 4, "stroke=\"#5b6570\"");
      svg += textAt(x.place(t), bottom + 18, "middle", numberText(t, 4));
    }
  else
    for (std::size_t i = 0; i < axes.categories.size(); ++i)
      svg += textAt(x.place(double(i)), bottom + 18, "middle", axes.categories[i]);
  svg += "<rect x=\"" + coordinate(plotLeft) + "\" y=\"" + coordinate(plotTop) + "\" width=\"" +
         coordinate(figureWidth - plotLeft - plotRight) + "\" height=\"" + coordinate(plotHeight) +
         "\" fill=\"none\" stroke=\"#5b6570\"/>\n";
  svg += textAt((plotLeft + figureWidth - plotRight) / 2, bottom + 38, "middle", axes.x);
  svg += "<text transform=\"translate(14 " + coordinate(plotTop + plotHeight / 2) +
         ") rotate(-90)\" text-anchor=\"middle\">" + svgText(axes.y) + "</text>\n";
  return svg;
}

}  // namespace

std::vector<std::string> studyPanels(const StudyResult& result) {
  std::vector<std::string> panels;
  for (const StudyRow& r : result.rows)
    if (!r.panel.empty() && std::ranges::find(panels, r.panel) == panels.end()) panels.push_back(r.panel);
  return panels;
}

std::string studyFigure(const StudyResult& result, const std::string& panel) {
  const StudyAxes& axes = result.axes;
  FigureAxis x(axes.logX && axes.categories.empty(), plotLeft, figureWidth - plotRight),
      y(axes.logY, plotTop + plotHeight, plotTop);
  std::vector<std::string> series;
  std::vector<const StudyRow*> rows;
  for (const StudyRow& r : result.rows) {
    if (r.panel != panel || !r.refused.empty() || !x.shows(r.x) || !y.shows(r.y)) continue;
    rows.push_back(&r);
    x.take(r.x);
    y.take(r.y);
    if (r.yHigh > 0) {
      y.take(r.yLow);
      y.take(r.yHigh);
    }
    if (std::ranges::find(series, r.series) == series.end()) series.push_back(r.series);
  }
  if (rows.empty()) return {};
  std::vector<PrintedNumber> printed = printedNumbers(result);
  std::erase_if(printed,
                [&](const PrintedNumber& n) { return n.panel != panel || !x.shows(n.x) || !y.shows(n.y); });
  for (const PrintedNumber& n : printed) {
    x.take(n.x);
    y.take(n.y);
  }
  for (std::size_t i = 0; i < axes.categories.size(); ++i) x.take(double(i));
  x.close(false);
  y.close(true);
  const auto columns = std::size_t((figureWidth - plotLeft) / legendColumn);
  const double height =
      plotTop + plotHeight + plotBelow + legendRow * double((series.size() + columns - 1) / columns);
  std::string svg = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + coordinate(figureWidth) +
                    " " + coordinate(height) +
                    "\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#1b1f24\">\n" +
                    "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n" + axesOf(axes, x, y);
  for (std::size_t s = 0; s < series.size(); ++s) {
    const std::string colour = colours[s % colours.size()],
                      dashes = s < colours.size() ? "" : " stroke-dasharray=\"5 3\"";
    std::vector<const StudyRow*> line;
    for (const StudyRow* r : rows)
      if (r->series == series[s]) line.push_back(r);
    std::ranges::stable_sort(line, {}, [](const StudyRow* r) { return r->x; });
    std::string points;
    for (const StudyRow* r : line) {
      points += coordinate(x.place(r->x)) + "," + coordinate(y.place(r->y)) + " ";
      if (r->yHigh > 0 && y.shows(r->yLow))
        svg += lineFrom(x.place(r->x), y.place(r->yLow), x.place(r->x), y.place(r->yHigh),
                        "stroke=\"" + colour + "\"");
      svg += "<circle cx=\"" + coordinate(x.place(r->x)) + "\" cy=\"" + coordinate(y.place(r->y)) +
             "\" r=\"3\" fill=\"" + colour + "\"><title>" +
             svgText(series[s] + ": " + numberText(r->x, 5) + ", " + numberText(r->y, 5)) +
             "</title></circle>\n";
    }
    svg += "<polyline points=\"" + points + "\" fill=\"none\" stroke=\"" + colour +
           "\" stroke-width=\"1.5\"" + dashes + "/>\n";
    const double keyX = plotLeft + legendColumn * double(s % columns),
                 keyY = plotTop + plotHeight + plotBelow + legendRow * double(s / columns);
    svg += lineFrom(keyX, keyY - 4, keyX + 20, keyY - 4,
                    "stroke=\"" + colour + "\" stroke-width=\"2\"" + dashes);
    svg += textAt(keyX + 26, keyY, "start", series[s]);
  }
  constexpr double dashReach = 16;
  for (const PrintedNumber& n : printed) {
    const auto own = std::ranges::find(series, n.series);
    const std::string colour =
        own == series.end() ? "#1b1f24" : colours[std::size_t(own - series.begin()) % colours.size()];
    svg += lineFrom(x.place(n.x) - dashReach, y.place(n.y), x.place(n.x) + dashReach, y.place(n.y),
                    "stroke=\"" + colour + "\" stroke-width=\"2\" stroke-dasharray=\"4 3\"");
  }
  return svg + "</svg>\n";
}

}  // namespace spokelab
