#include "engine/scan/formats/foreign/foreign_file.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string_view>

#include "engine/core/text.h"
#include "engine/scan/formats/images/dicom/read_dicom.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

const char* const gePfileWayOn =
    "Convert it: ge_to_ismrmrd (needs GE's Orchestra) makes ISMRMRD of it; or read its samples with "
    "Orchestra or GERecon and save them as .npy or .mat";
const char* const philipsWayOn =
    "Convert it: philips_to_ismrmrd makes ISMRMRD of .raw, .lab and .sin; MRecon reads all of Philips' files "
    "and can save the samples as .mat";
const char* const listWayOn =
    "Read .data and .list together, with MRecon or loadLISTDATA, and save the samples as .npy or .mat";
const char* const brukerWayOn =
    "Open the folder of an experiment (a number) that holds acqp, method and raw data (fid or rawdata.job0), and "
    "traj where its shots are not Cartesian";
const char* const dicomWayOn =
    "It holds images, not the samples they were made of: export the raw data from the scanner. It can be "
    "compared with (--reference, 'spokelab compare') and serve as a map (--field-map)";
const char* const pickleWayOn =
    "Python's objects can run code when they are loaded, so nothing here loads them: load it where you trust "
    "it and save its arrays with numpy.save or numpy.savez";

std::string firstBytes(const fs::path& file) {
  constexpr std::size_t bytes = 4096;
  std::string start(bytes, '\0');
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> in(std::fopen(file.c_str(), "rb"), std::fclose);
  start.resize(in ? std::fread(start.data(), 1, bytes, in.get()) : 0);
  return start;
}

bool isThere(const fs::path& file) {
  std::error_code failed;
  return fs::exists(file, failed);
}

bool isPfile(std::string_view bytes) {
  for (const std::size_t at : {34, 110}) {
    const std::string_view logo = bytes.substr(std::min(at, bytes.size()));
    if (logo.starts_with("GE_MED_NMR") || logo.starts_with("INVALIDNMR")) return true;
  }
  return false;
}

bool isPickle(std::string_view bytes) {
  return bytes.size() > 2 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

bool nearBruker(const fs::path& folder) {
  return isThere(folder / "acqp") && isThere(folder / "method");
}

// By the first bytes only.
std::optional<ForeignFile> byBytes(std::string_view b) {
  if (b.starts_with("yardl"))
    return ForeignFile{"it is MRD version 2 (yardl)",
                       "Convert it to MRD version 1, which is ISMRMRD in HDF5, with the mrd Python package: "
                       "its reader gives header and acquisitions, which the ismrmrd package writes"};
  if (b.starts_with("\x01pulseq\x02"))
    return ForeignFile{"it is a Pulseq sequence in binary form",
                       "Write it as text (.seq), which is Pulseq's common form"};
  if (isPfile(b)) return ForeignFile{"it is raw data of a GE scanner (P-file)", gePfileWayOn};
  if (b.size() > 132 && b.substr(128, 4) == "DICM") return ForeignFile{"it is a DICOM file", dicomWayOn};
  if (isPickle(b)) return ForeignFile{"it is a pickle: objects of Python", pickleWayOn};
  if (b.starts_with("PK\x03\x04") && b.find(".pkl") != std::string_view::npos)
    return ForeignFile{"it is a PyTorch file: a pickle in a zip archive", pickleWayOn};
  if (b.starts_with("PK\x03\x04") || b.starts_with("7z\xbc\xaf") || b.starts_with("Rar!"))
    return ForeignFile{"it is an archive of files", "Unpack it first"};
  if (b.starts_with("\x1f\x8b"))
    return ForeignFile{"it is compressed by gzip", "Unpack it first: gunzip FILE"};
  if (b.starts_with("\x28\xb5\x2f\xfd") || b.starts_with("BZh") ||
      b.starts_with("\xfd"
                    "7zXZ"))
    return ForeignFile{"it is compressed", "Unpack it first (unzstd, bunzip2, unxz)"};
  if (b.starts_with("version https://git-lfs"))
    return ForeignFile{"it is a placeholder of Git LFS, not the file itself",
                       "Fetch the file: git lfs pull in its repository"};
  const std::string text = lowerCase(std::string(b.substr(0, std::min<std::size_t>(b.size(), 256))));
  if (text.starts_with("<!doctype html") || text.starts_with("<html"))
    return ForeignFile{"it is a web page, as a failed download leaves it", "Download the file again"};
  if (text.find("<ismrmrdheader") != std::string::npos)
    return ForeignFile{"it is the header of an ISMRMRD scan, without samples", "Open the scan itself (.h5)"};
  if (b.starts_with("CDF\x01") || b.starts_with("CDF\x02"))
    return ForeignFile{"it is a NetCDF or MINC file", "Save its samples as .npy or .mat"};
  if (text.find("=== data description file") != std::string::npos)
    return ForeignFile{"it is the list beside raw data of a Philips scanner (.list)", listWayOn};
  if (b.starts_with("##TITLE=") || b.starts_with("##$"))
    return ForeignFile{"it is a parameter file of a Bruker scanner", brukerWayOn};
  return std::nullopt;
}

// Bytes that say nothing: the name and the neighbours.
std::optional<ForeignFile> byName(const fs::path& file, const std::string& extension) {
  const std::string name = lowerCase(file.filename().string());
  const auto beside = [&](const char* other) {
    fs::path lower = file, upper = file;
    std::string capital = other;
    for (char& c : capital) c = char(c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c);
    return isThere(lower.replace_extension(other)) || isThere(upper.replace_extension(capital));
  };
  if ((extension == ".raw" && (beside(".lab") || beside(".sin"))) ||
      (extension == ".lab" && (beside(".raw") || beside(".sin"))) ||
      (extension == ".sin" && (beside(".lab") || beside(".raw"))))
    return ForeignFile{"it is raw data of a Philips scanner (.raw, .lab and .sin)", philipsWayOn};
  if (extension == ".data" && beside(".list"))
    return ForeignFile{"it is raw data of a Philips scanner (.data and .list)", listWayOn};
  const bool data =
      name == "fid" || name == "ser" || name == "2dseq" || name == "traj" || name.starts_with("rawdata.job");
  if (data && nearBruker(file.parent_path().empty() ? fs::path(".") : file.parent_path()))
    return ForeignFile{"it belongs to an experiment of a Bruker scanner", brukerWayOn};
  if (extension == ".lab" || extension == ".sin")
    return ForeignFile{"by its name it belongs to raw data of a Philips scanner", philipsWayOn};
  if (extension == ".seq") return ForeignFile{"by its name it is a sequence, without samples", ""};
  if (extension == ".dcm" || extension == ".ima")
    return ForeignFile{"by its name it is a DICOM file", dicomWayOn};
  if (extension == ".pkl" || extension == ".pickle" || extension == ".pt" || extension == ".pth")
    return ForeignFile{"by its name it holds objects of Python", pickleWayOn};
  return std::nullopt;
}

}  // namespace

std::optional<ForeignFile> foreignFile(const fs::path& file) {
  if (!isThere(file)) return std::nullopt;
  const std::string extension = lowerCase(file.extension().string());
  if (auto found = byBytes(firstBytes(file))) return found;
  return byName(file, extension);
}

std::optional<ForeignFile> foreignFolder(const fs::path& folder) {
  if (nearBruker(folder))
    return ForeignFile{"it is an experiment of a Bruker scanner without raw data (fid or rawdata.job0)",
                       brukerWayOn};
  if (isThere(folder / "subject") || isThere(folder / "AdjStatePerStudy")) {
    std::error_code failed;
    constexpr int maxEntries = 1000;
    int seen = 0;
    for (fs::directory_iterator at(folder, failed), end; !failed && at != end && seen < maxEntries;
         at.increment(failed), ++seen)
      if (nearBruker(at->path()))
        return ForeignFile{"it is a study of a Bruker scanner, whose experiments are its folders",
                           brukerWayOn};
  }
  if (isThere(folder / "procpar"))
    return ForeignFile{"it is an experiment of a Varian or Agilent scanner (a folder with procpar)",
                       "Read it with nmrglue or pyvarian, and save samples and trajectory as .npy"};
  if (isThere(folder / "DICOMDIR") || isDicomFolder(folder))
    return ForeignFile{"it is a folder of DICOM files", dicomWayOn};
  return std::nullopt;
}

std::optional<ForeignFile> foreignHdf5(const fs::path& file, const std::string& paths) {
  const std::string name = lowerCase(file.filename().string());
  const auto holds = [&](const char* path) { return paths.find(path) != std::string::npos; };
  if (name.starts_with("scanarchive") || holds("DownloadMetaData") || holds("OrchestraMetaData") ||
      holds("ControlPackets"))
    return ForeignFile{
        "it is raw data of a GE scanner (ScanArchive)",
        "Read its samples with GE's Orchestra (GERecon 'Archive.Load') and save them as .npy or "
        ".mat; or convert it with ge_to_ismrmrd"};
  return std::nullopt;
}

}  // namespace spokelab
