#include "engine/scan/formats/acquisitions/waveforms/hdf5_waveforms.h"

#include <ismrmrd/waveform.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "engine/scan/formats/acquisitions/acquisition.h"
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

bool isWritten(const NamedArray& array) {
  if (!array.name.starts_with(tracePrefix) || array.shape.size() != 2 || array.shape[0] != 2) return false;
  const auto count = std::size_t(array.shape[1]);
  if (count < 2) return false;
  const auto second = [&](std::size_t i) { return double(array.values[i].real()); };
  const double step = (second(count - 1) - second(0)) / double(count - 1);
  constexpr double tolerance = 0.5;  // of a step
  if (!(step > 0) || second(0) < 0) return false;
  for (std::size_t i = 0; i < count; ++i) {
    const double value = array.values[count + i].real();
    if (value != std::floor(value) || value < 0 || value > std::numeric_limits<std::uint32_t>::max() ||
        std::abs(second(i) - second(0) - double(i) * step) > tolerance * step)
      return false;
  }
  return true;
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

std::vector<const NamedArray*> writtenTraces(const std::vector<NamedArray>& arrays) {
  std::vector<const NamedArray*> traces;
  for (const NamedArray& array : arrays)
    if (isWritten(array)) traces.push_back(&array);
  return traces;
}

bool writeWaveforms(hid_t group, const std::vector<NamedArray>& arrays) {
  const std::vector<const NamedArray*> traces = writtenTraces(arrays);
  if (traces.empty()) return true;
  constexpr std::size_t samplesAtOnce = 60000;  // of at most 65535
  constexpr double microsecond = 1e-6;
  std::vector<StoredWaveform> stored;
  std::vector<std::vector<std::uint32_t>> values;
  for (std::size_t t = 0; t < traces.size(); ++t) {
    const auto count = std::size_t(traces[t]->shape[1]);
    const cfloat* const seconds = traces[t]->values.data();
    const double start = seconds[0].real(),
                 step = (double(seconds[count - 1].real()) - start) / double(count - 1);
    for (std::size_t first = 0; first < count; first += samplesAtOnce) {
      const std::size_t length = std::min(samplesAtOnce, count - first);
      std::vector<std::uint32_t>& part = values.emplace_back();
      for (std::size_t i = 0; i < length; ++i)
        part.push_back(std::uint32_t(seconds[count + first + i].real()));
      StoredWaveform& waveform = stored.emplace_back();
      waveform.head = {};
      waveform.head.version = 1;
      waveform.head.scan_counter = std::uint32_t(stored.size());
      waveform.head.time_stamp = std::uint32_t(std::llround((start + double(first) * step) / stampSeconds));
      waveform.head.number_of_samples = std::uint16_t(length);
      waveform.head.channels = 1;
      waveform.head.sample_time_us = float(step / microsecond);
      waveform.head.waveform_id = std::uint16_t(t);
    }
  }
  for (std::size_t i = 0; i < stored.size(); ++i) stored[i].data = {values[i].size(), values[i].data()};
  const Hdf5Handle type = waveformType(), packed(H5Tcopy(type.get()), H5Tclose),
                   creation(H5Pcreate(H5P_DATASET_CREATE), H5Pclose);
  H5Tpack(packed.get());
  const hsize_t size = stored.size(), most = H5S_UNLIMITED;
  H5Pset_chunk(creation.get(), 1, &size);
  const Hdf5Handle space(H5Screate_simple(1, &size, &most), H5Sclose);
  const Hdf5Handle data(
      H5Dcreate2(group, "waveforms", packed.get(), space.get(), H5P_DEFAULT, creation.get(), H5P_DEFAULT),
      H5Dclose);
  return data.valid() && H5Dwrite(data.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, stored.data()) >= 0;
}

}  // namespace spokelab
