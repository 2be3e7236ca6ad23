#include "engine/scan/formats/acquisitions/waveforms/hdf5_waveforms.h"

#include <ismrmrd/waveform.h>

#include <algorithm>
#include <cstddef>
#include <vector>

#include "engine/scan/formats/hdf5/hdf5_arena.h"

namespace spokelab {
namespace {

struct StoredWaveform {
  ISMRMRD::ISMRMRD_WaveformHeader head;
  hvl_t data;
};

Hdf5Handle waveformType() {
  using H = ISMRMRD::ISMRMRD_WaveformHeader;
  const Hdf5Handle head(H5Tcreate(H5T_COMPOUND, sizeof(H)), H5Tclose);
  const hid_t id = head.get();
  H5Tinsert(id, "version", offsetof(H, version), H5T_NATIVE_UINT16);
  H5Tinsert(id, "flags", offsetof(H, flags), H5T_NATIVE_UINT64);
  H5Tinsert(id, "measurement_uid", offsetof(H, measurement_uid), H5T_NATIVE_UINT32);
  H5Tinsert(id, "scan_counter", offsetof(H, scan_counter), H5T_NATIVE_UINT32);
  H5Tinsert(id, "time_stamp", offsetof(H, time_stamp), H5T_NATIVE_UINT32);
  H5Tinsert(id, "number_of_samples", offsetof(H, number_of_samples), H5T_NATIVE_UINT16);
  H5Tinsert(id, "channels", offsetof(H, channels), H5T_NATIVE_UINT16);
  H5Tinsert(id, "sample_time_us", offsetof(H, sample_time_us), H5T_NATIVE_FLOAT);
  H5Tinsert(id, "waveform_id", offsetof(H, waveform_id), H5T_NATIVE_UINT16);
  const Hdf5Handle values(H5Tvlen_create(H5T_NATIVE_UINT32), H5Tclose);
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(StoredWaveform)), H5Tclose);
  H5Tinsert(type.get(), "head", offsetof(StoredWaveform, head), head.get());
  H5Tinsert(type.get(), "data", offsetof(StoredWaveform, data), values.get());
  return type;
}

}  // namespace

std::int64_t readWaveforms(hid_t file, const std::string& group, std::int64_t fileBytes,
                           WaveformTraces& traces) {
  constexpr std::int64_t maxWaveforms = 1 << 20, maxWaveformBytes = 1 << 28;
  const std::string path = group + "/waveforms";
  if (H5Lexists(file, path.c_str(), H5P_DEFAULT) <= 0) return 0;
  const Hdf5Handle data(H5Dopen2(file, path.c_str(), H5P_DEFAULT), H5Dclose);
  const Hdf5Handle space(data.valid() ? H5Dget_space(data.get()) : -1, H5Sclose);
  const std::int64_t count = space.valid() ? H5Sget_simple_extent_npoints(space.get()) : 0;
  if (count <= 0) return 0;
  if (count > std::min(maxWaveforms, fileBytes)) return count;
  std::int64_t kept = 0;
  std::vector<StoredWaveform> stored(static_cast<std::size_t>(count));
  Hdf5Arena arena(std::size_t(std::min(maxWaveformBytes, fileBytes)), stored.size());
  const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose), type = waveformType();
  arena.attach(transfer.get());
  if (H5Dread(data.get(), type.get(), H5S_ALL, H5S_ALL, transfer.get(), stored.data()) < 0) return count;
  for (const StoredWaveform& w : stored)
    kept += traces.add(w.head, {static_cast<const std::uint32_t*>(w.data.p), w.data.len});
  return count - kept;
}

}  // namespace spokelab
