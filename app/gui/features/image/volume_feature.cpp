#include "app/gui/features/image/volume_feature.h"

#include <QFileDialog>
#include <QLocale>
#include <QMainWindow>

#include <cerrno>

#include <vtkNew.h>
#include <vtkPLYWriter.h>
#include <vtkPolyData.h>
#include <vtkSTLWriter.h>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/core/output/job_files.h"
#include "engine/core/output/write_error.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/volume/surface_mesh.h"
#include "widgets/image/volume/volume_style_view.h"

namespace spokelab {
namespace {

constexpr JobKind surfaceJob{.name = "surface"};
constexpr double meshShare = 0.8;  // of the progress bar; writing takes the rest

// Programs that read meshes take this word for the axes' meaning.
constexpr const char* patientSpace = "SPACE=LPS";

template <class Writer>
bool write(Writer& writer, vtkPolyData* mesh, const std::filesystem::path& file) {
  writer.SetFileName(file.c_str());
  writer.SetInputData(mesh);
  writer.SetFileTypeToBinary();
  errno = 0;  // the writer itself does not say why it failed
  return writer.Write() == 1;
}

void writeMesh(vtkPolyData* mesh, const std::string& name, const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  AtomicFile atomic(file);
  bool written = false;
  if (ending == ".ply") {
    vtkNew<vtkPLYWriter> writer;
    writer->AddComment(patientSpace);
    written = write(*writer, mesh, atomic.path());
  } else if (ending == ".stl") {
    vtkNew<vtkSTLWriter> writer;
    writer->SetHeader((patientSpace + std::string("; Spokelab; ") + name).c_str());
    written = write(*writer, mesh, atomic.path());
  } else {
    throw Error("Cannot save the surface", "\"" + ending + "\" is not a format for meshes",
                "End the name with .stl or .ply");
  }
  if (!written) throw writeError(file, errno);
  atomic.commit();
}

}  // namespace

VolumeFeature::VolumeFeature(Session& session, const Views& views, QObject* parent)
    : Feature(session, views, parent), view_(new VolumeStyleView) {
  addTab(views_, "volume", tr("Volume"), view_);
  view_->setVolumeStyle(views_.image->volumeStyle());
  connect(view_, &VolumeStyleView::styleChanged, views_.image, &ImagePanel::setVolumeStyle);
  connect(views_.image, &ImagePanel::volumeStyleChanged, view_, &VolumeStyleView::setVolumeStyle);
  connect(views_.image, &ImagePanel::volumeReady, view_, &VolumeStyleView::setScale);
  connect(views_.image, &ImagePanel::surfaceReady, view_, [view = view_](double, qint64 triangles) {
    view->setSurfaceNote(triangles > 0 ? tr("%1 triangles").arg(QLocale().toString(triangles))
                                       : tr("nothing in the image crosses this level"));
  });
  connect(view_, &VolumeStyleView::saveRequested, this, &VolumeFeature::chooseToSave);
}

void VolumeFeature::chooseToSave() {
  auto* dialog = dialogToSave(views_.window, tr("Save the surface"), "save-surface", lastFolder(),
                              tr("Meshes (*.stl *.ply)"), QStringLiteral("stl"));
  dialog->selectFile(QStringLiteral("surface.stl"));
  connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& file) {
    saveSurface(views_.image->image(), views_.image->frame(), view_->level(), view_->volumeStyle().clip,
                file.toStdString());
  });
  dialog->open();
}

void VolumeFeature::saveSurface(const std::shared_ptr<const Image>& image, int frame, double level,
                                const std::array<double, 6>& clip, const std::filesystem::path& file) {
  if (!image) return;
  session_.jobs().submit(
      surfaceJob, tr("Save %1").arg(QString::fromStdString(file.filename().string())),
      [this, image, frame, level, clip, file](const JobContext& context) -> JobQueue::Delivery {
        requireTarget(file);
        const auto mesh = patientSurface(*image, frame, level, clip, context.progress.part(0, meshShare));
        writeMesh(mesh, image->name, file);
        return [this, file] { Q_EMIT session_.saved(QString::fromStdString(file.string())); };
      });
}

}  // namespace spokelab
