#include "app/cli/progress_bar.h"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "engine/core/stage_timer.h"
#include "engine/core/text.h"

namespace spokelab::cli {
namespace {

constexpr double interval = 0.1;  // seconds between two pictures
constexpr double lineInterval = 0.5;
constexpr int barCells = 30;
constexpr double minShareDone = 0.03;  // to say how long the rest takes

}  // namespace

// SPOKELAB_PROGRESS=lines: "progress 45 Iteration 3", for a program that reads them.
ProgressBar::ProgressBar(Talk talk)
    : terminal_(isatty(STDERR_FILENO) == 1 && talk == Talk::usual),
      steps_(talk == Talk::verbose),
      start_(now()) {
  const char* const asked = std::getenv("SPOKELAB_PROGRESS");
  lines_ = asked && std::string_view(asked) == "lines";
}

ProgressBar::~ProgressBar() {
  clear();
}

// "   1.204 s  Reading scan.h5". Steps that differ in numbers alone ("Iteration 3") are one.
void ProgressBar::showStep(double time, const std::string& what) {
  std::string step = what;
  std::erase_if(step, [](unsigned char c) { return std::isdigit(c) != 0; });
  if (step == step_) return;
  step_ = step;
  constexpr int decimals = 3, width = 8;
  std::fprintf(stderr, "%s s  %s\n", fixedText(time - start_, decimals, width).c_str(), what.c_str());
  std::fflush(stderr);
}

void ProgressBar::show(double fraction, const std::string& what) {
  const double time = now();
  if (steps_) showStep(time, what);
  if (lines_ && time - last_ >= lineInterval) {
    last_ = time;
    std::fprintf(stderr, "progress %d %s\n", int(std::clamp(fraction, 0.0, 1.0) * 100), what.c_str());
    std::fflush(stderr);
  }
  if (!terminal_ || lines_) return;
  if (shown_ && time - last_ < interval) return;
  last_ = time;
  shown_ = true;
  const double part = std::clamp(fraction, 0.0, 1.0);
  const double passed = time - start_;
  const std::string left =
      part > minShareDone && part < 1 ? ", about " + secondsText(passed * (1 - part) / part) + " left" : "";
  const auto filled = std::size_t(part * barCells);
  const std::string bar = std::string(filled, '=') + std::string(barCells - filled, ' ');
  std::fprintf(stderr, "\r\033[K[%s] %3d %%  %s%s", bar.c_str(), int(part * 100), what.c_str(), left.c_str());
  std::fflush(stderr);
}

void ProgressBar::clear() {
  if (!shown_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  shown_ = false;
}

Progress::Report ProgressBar::report() {
  if (!terminal_ && !lines_ && !steps_) return {};
  return [this](double fraction, const std::string& what) { show(fraction, what); };
}

}  // namespace spokelab::cli
