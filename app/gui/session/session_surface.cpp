// A surface as a file.
#include <vtkNew.h>
#include <vtkPLYWriter.h>
#include <vtkPolyData.h>
#include <vtkSTLWriter.h>

#include "app/gui/session/session.h"
#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "widgets/image/volume/surface_mesh.h"

namespace spokelab {
namespace {

// Programs that read meshes take this word for the axes' meaning.
constexpr const char* patientSpace = "SPACE=LPS";

template <class Writer>
bool write(Writer& writer, vtkPolyData* mesh, const std::filesystem::path& file) {
  writer.SetFileName(file.c_str());
  writer.SetInputData(mesh);
  writer.SetFileTypeToBinary();
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
    throw Error("Cannot save the surface", "\"" + ending + "\" is no kind of mesh that is written",
                "End the name with .stl or .ply");
  }
  if (!written)
    throw Error("Cannot write " + file.string(), "the file could not be written", "Free some space");
  atomic.commit();
}

}  // namespace

void Session::saveSurface(const std::shared_ptr<const Image>& image, int frame, double level,
                          const std::array<double, 6>& clip, const std::filesystem::path& file) {
  if (!image) return;
  jobs_.submit(JobKind::save, tr("Save %1").arg(QString::fromStdString(file.filename().string())),
               [this, image, frame, level, clip, file](const JobContext& context) -> JobQueue::Delivery {
                 constexpr double meshShare = 0.8;
                 const auto mesh =
                     patientSurface(*image, frame, level, clip, context.progress.part(0, meshShare));
                 writeMesh(mesh, image->name, file);
                 return [this, file] { Q_EMIT saved(QString::fromStdString(file.string())); };
               });
}

}  // namespace spokelab
