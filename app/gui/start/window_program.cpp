#include "app/gui/start/window_program.h"

#include <QApplication>
#include <QCommandLineParser>
#include <QFileInfo>

#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>

#include "app/cli/backends.h"
#include "app/cli/command_line.h"
#include "app/gui/document/session_script.h"
#include "app/gui/document/workspace.h"
#include "app/gui/features/scan/show_feature.h"
#include "app/gui/start/command_script.h"
#include "app/gui/start/screenshot.h"
#include "app/gui/start/window_settings.h"
#include "app/gui/window/features.h"
#include "app/gui/window/main_window.h"
#include "app/gui/window/theme.h"
#include "app/gui/window/theme_menu.h"
#include "engine/core/error.h"
#include "engine/core/user_folder.h"
#include "engine/core/version.h"
#include "engine/scan/read/remembered_choices.h"
#include "widgets/core/decimal_point.h"
#include "widgets/core/wheel_focus.h"
#include "widgets/image/volume/volume_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace spokelab {
namespace {

// Asked before Qt, which ends the process without a display: the user gets a sentence.
bool displayReachable() {
  const char* platform = std::getenv("QT_QPA_PLATFORM");
  if (platform && std::string_view(platform).substr(0, 3) != "xcb") return true;
  const char* wayland = std::getenv("WAYLAND_DISPLAY");
  const char* display = std::getenv("DISPLAY");
  if (!display || !*display) return wayland && *wayland;
  void* library = dlopen("libxcb.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return true;
  using Connect = void* (*)(const char*, int*);
  using HasError = int (*)(void*);
  using Disconnect = void (*)(void*);
  const auto connect = reinterpret_cast<Connect>(dlsym(library, "xcb_connect"));
  const auto hasError = reinterpret_cast<HasError>(dlsym(library, "xcb_connection_has_error"));
  const auto disconnect = reinterpret_cast<Disconnect>(dlsym(library, "xcb_disconnect"));
  bool reachable = true;
  if (connect && hasError && disconnect) {
    void* connection = connect(nullptr, nullptr);
    reachable = hasError(connection) == 0;
    disconnect(connection);
  }
  dlclose(library);
  return reachable;
}

struct WindowArguments {
  QString file, picture, dialog;
  QStringList commands;
  QSize size;
  ScreenshotOf what = ScreenshotOf::sweep;
  std::optional<ScreenTheme> theme;  // empty: the last chosen theme
  WindowSettings settings;
};

void take(WindowSettings& settings, const QString& setting) {
  try {
    settings.take(setting.toStdString());
  } catch (const Error& error) {
    std::fprintf(stderr, "spokelab: %s\n", error.what());
    std::exit(exitCode::usage);
  }
}

// Ends the process for --help and for arguments that it does not understand.
WindowArguments parse(const QApplication& application) {
  QCommandLineParser parser;
  parser.setApplicationDescription(QStringLiteral("Opens the window. 'spokelab --help' lists the commands."));
  parser.addPositionalArgument(QStringLiteral("FILE"),
                               QStringLiteral("A scan, an image or a session to open, or demo"));
  parser.addOption({QStringLiteral("screenshot"), QStringLiteral("Save a picture of the window and end"),
                    QStringLiteral("PICTURE")});
  parser.addOption({QStringLiteral("size"), QStringLiteral("Size of the window"), QStringLiteral("WxH")});
  parser.addOption({QStringLiteral("no-sweep"), QStringLiteral("With --screenshot: do not sweep before")});
  parser.addOption(
      {QStringLiteral("compare"),
       QStringLiteral("With --screenshot: beside a result of low accuracy, instead of a sweep")});
  parser.addOption({QStringLiteral("dialog"),
                    QStringLiteral("With --screenshot: the dialog simulate, density or readings instead"),
                    QStringLiteral("NAME")});
  const QMap<QString, ScreenshotOf> docks = {{QStringLiteral("explorer"), ScreenshotOf::explorer},
                                             {QStringLiteral("iterations"), ScreenshotOf::iterations},
                                             {QStringLiteral("maps"), ScreenshotOf::maps},
                                             {QStringLiteral("off-resonance"), ScreenshotOf::offResonance},
                                             {QStringLiteral("stages"), ScreenshotOf::stages},
                                             {QStringLiteral("job"), ScreenshotOf::job},
                                             {QStringLiteral("scheduler"), ScreenshotOf::timeline},
                                             {QStringLiteral("lambda"), ScreenshotOf::lambda},
                                             {QStringLiteral("noise"), ScreenshotOf::noise},
                                             {QStringLiteral("data"), ScreenshotOf::data}};
  parser.addOption(
      {QStringLiteral("show"),
       QStringLiteral("With --screenshot: explorer, iterations, maps, off-resonance, stages, job, "
                      "scheduler, lambda, noise or data, instead of a sweep"),
       QStringLiteral("DOCK")});
  parser.addOption({QStringLiteral("set"),
                    QStringLiteral("Begin with this parameter, named as in 'reconstruct', or read FILE with "
                                   "this TOPIC=CHOICE, as the commands do; may be repeated"),
                    QStringLiteral("NAME=VALUE")});
  parser.addOption({QStringLiteral("run-command"),
                    QStringLiteral("Run this command of the window when the file is open; may be repeated"),
                    QStringLiteral("ID")});
  parser.addOption({QStringLiteral("theme"), QStringLiteral("system, dark, light or high-contrast"),
                    QStringLiteral("THEME")});
  parser.addOption({QStringLiteral("plugins"),
                    QStringLiteral("Folder of plug-ins, or several with ':' between them; none: no plug-ins"),
                    QStringLiteral("DIR")});
  parser.process(application);
  if (parser.isSet(QStringLiteral("plugins")))
    qputenv(pluginsVariable, parser.value(QStringLiteral("plugins")).toLocal8Bit());
  const QStringList files = parser.positionalArguments();
  if (files.size() > 1) {
    std::fprintf(stderr, "spokelab: one file at a time\n");
    std::exit(exitCode::usage);
  }
  WindowArguments arguments;
  if (!files.isEmpty()) arguments.file = files.front();
  arguments.picture = parser.value(QStringLiteral("screenshot"));
  if (parser.isSet(QStringLiteral("no-sweep"))) arguments.what = ScreenshotOf::result;
  if (parser.isSet(QStringLiteral("compare"))) arguments.what = ScreenshotOf::comparison;
  arguments.commands = parser.values(QStringLiteral("run-command"));
  arguments.dialog = parser.value(QStringLiteral("dialog"));
  if (!arguments.dialog.isEmpty()) arguments.what = ScreenshotOf::dialog;
  if (parser.isSet(QStringLiteral("show"))) {
    if (!docks.contains(parser.value(QStringLiteral("show")))) {
      std::fprintf(stderr,
                   "spokelab: --show takes explorer, iterations, maps, off-resonance, stages, job, "
                   "scheduler, lambda, noise or data\n");
      std::exit(exitCode::usage);
    }
    arguments.what = docks[parser.value(QStringLiteral("show"))];
  }
  if (parser.isSet(QStringLiteral("theme"))) {
    arguments.theme = themeNamed(parser.value(QStringLiteral("theme")));
    if (!arguments.theme) {
      std::fprintf(stderr, "spokelab: --theme takes system, dark, light or high-contrast\n");
      std::exit(exitCode::usage);
    }
  }
  for (const QString& setting : parser.values(QStringLiteral("set"))) take(arguments.settings, setting);
  if (!arguments.settings.overrides.empty() && arguments.file.isEmpty()) {
    std::fprintf(stderr,
                 "spokelab: --set %s= is a decision of the reader: name the FILE that it is to read\n",
                 arguments.settings.overrides.begin()->first.c_str());
    std::exit(exitCode::usage);
  }
  const QStringList size = parser.value(QStringLiteral("size")).split(QLatin1Char('x'));
  if (size.size() == 2) arguments.size = QSize(size[0].toInt(), size[1].toInt());
  return arguments;
}

}  // namespace

int runWindow(int argc, char** argv) {
  if (!displayReachable()) {
    std::fprintf(stderr,
                 "spokelab: cannot open the window: no display can be reached (DISPLAY, WAYLAND_DISPLAY).\n"
                 "Without one the same work is done by commands, for example\n"
                 "  spokelab reconstruct demo -o image.nii.gz\n"
                 "  spokelab report demo -o report\n"
                 "'spokelab --help' lists them all.\n");
    return exitCode::failure;
  }
  // Qt keeps its settings there, and would take the root folder where the variable is missing.
  if (qEnvironmentVariableIsEmpty("HOME")) qputenv("HOME", QByteArray::fromStdString(userHome().string()));
  VolumeView::prepareApplication();
  QApplication application(argc, argv);
  useDecimalPoint();
  QApplication::setOrganizationName(QStringLiteral("spokelab"));
  QApplication::setApplicationName(QStringLiteral("spokelab"));
  QApplication::setApplicationDisplayName(QStringLiteral("Spokelab"));
  QApplication::setApplicationVersion(QString::fromUtf8(versionText()));
  QApplication::setDesktopFileName(QStringLiteral("spokelab"));
  QApplication::setWindowIcon(icon(QStringLiteral("spokelab")));
  useWheelFocus(application);
  const WindowArguments arguments = parse(application);
  const bool picture = !arguments.picture.isEmpty();
  if (arguments.theme)
    applyTheme(application, *arguments.theme);
  else if (picture)
    applyTheme(application);
  else
    applyKeptTheme();

  Backends backends;
  Session session(backends.all(), picture ? std::nullopt : std::optional(Wisdom::defaultFile()));
  if (!picture) session.setChoicesFile(RememberedChoices::defaultFile());
  MainWindow window(session, backends.badges(), !picture);
  window.views().parameters->setOptions(arguments.settings.options);
  if (arguments.size.isValid()) window.resize(arguments.size);
  window.show();
  if (!picture) {
    window.features().workspace->keepIn(AutosaveSlot::defaultRoot());
    window.features().workspace->findLastRuns();
    window.features().workspace->offerRecovery();
    window.features().show->listenIn(ShowFeature::defaultFolder());
    window.features().script->keepIn(SessionScript::defaultFolder());
  }
  std::unique_ptr<Screenshot> screenshot;
  if (picture) {
    const QString scan = arguments.file.isEmpty() ? QStringLiteral("demo") : arguments.file;
    screenshot = std::make_unique<Screenshot>(
        window, [&window, scan, settings = arguments.settings] { settings.open(window, scan); },
        arguments.picture, arguments.what, arguments.dialog);
  } else if (!arguments.file.isEmpty()) {
    arguments.settings.open(window, arguments.file);
  }
  std::unique_ptr<CommandScript> script;
  if (!arguments.commands.isEmpty())
    script =
        std::make_unique<CommandScript>(window, arguments.commands, picture || !arguments.file.isEmpty());
  return QApplication::exec();
}

}  // namespace spokelab
