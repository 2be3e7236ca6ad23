"""Writes twenty sequences with pypulseq, and beside each the k-space positions that pypulseq calculates.

pulseq_oracle.py FOLDER: NAME.seq and NAME.k ([sample, 3] doubles in 1/m) for each sequence, and NAME.labels: a line
"LIN 0 1 1 2" for each label, with its value at each readout.
"""

import sys
import warnings
from pathlib import Path

import numpy as np
import pypulseq as pp

warnings.filterwarnings("ignore")
system = pp.Opts(max_grad=32, grad_unit="mT/m", max_slew=130, slew_unit="T/m/s", rf_ringdown_time=20e-6,
                 rf_dead_time=100e-6, adc_dead_time=10e-6)
fov, matrix = 0.22, 32
raster = system.grad_raster_time


def new():
    seq = pp.Sequence(system)
    seq.set_definition("FOV", [fov, fov, fov])
    return seq


def pulse(use="excitation", flip=20, slab=None):
    if slab:
        rf, gz, _ = pp.make_sinc_pulse(flip_angle=np.radians(flip), duration=2e-3, slice_thickness=slab, use=use,
                                       return_gz=True, system=system, delay=system.rf_dead_time)
        return rf, gz
    return pp.make_block_pulse(flip_angle=np.radians(flip), duration=2e-4, use=use, system=system,
                               delay=system.rf_dead_time), None


def oblique(channel, amplitude, template):
    return pp.make_trapezoid(channel=channel, system=system, amplitude=amplitude, flat_time=template.flat_time,
                             rise_time=template.rise_time, fall_time=template.fall_time)


def readout():
    gx = pp.make_trapezoid("x", system=system, flat_area=matrix / fov, flat_time=1.6e-3, rise_time=2e-4)
    adc = pp.make_adc(matrix, duration=gx.flat_time, delay=gx.rise_time, system=system)
    return gx, adc


def spokes(directions, centred=True, slab=None, label=None):
    seq = new()
    gx, adc = readout()
    for n, direction in enumerate(directions):
        rf, gz = pulse(slab=slab)
        seq.add_block(rf, gz) if gz else seq.add_block(rf)
        if gz:
            seq.add_block(pp.make_trapezoid("z", system=system, area=-gz.area / 2))
        if centred:
            pre = [pp.make_trapezoid(c, system=system, area=-gx.area / 2 * d, duration=1e-3)
                   for c, d in zip("xyz", direction) if abs(d) > 1e-9]
            seq.add_block(*pre)
        events = [oblique(c, gx.amplitude * d, gx) for c, d in zip("xyz", direction) if abs(d) > 1e-9]
        labels = [pp.make_label("LIN", "SET", n)] if label else []
        if label and n % 2:
            labels.append(pp.make_label("REP", "INC", 1))
        seq.add_block(adc, *events, *labels)
        seq.add_block(pp.make_delay(1e-3))
    return seq


def plane(count, step):
    return [(np.cos(n * step), np.sin(n * step), 0) for n in range(count)]


def sphere(count):
    z = 1 - 2 * (np.arange(count) + 0.5) / count
    phi = np.arange(count) * np.pi * (3 - np.sqrt(5))
    return [(np.sqrt(1 - c * c) * np.cos(p), np.sqrt(1 - c * c) * np.sin(p), c) for c, p in zip(z, phi)]


def shaped(kx, ky, kz=None, shots=4, adc_delay=0.0, oversampling=4):
    """Arbitrary gradients of a smooth path k(t), 0 <= t <= 1, turned shot by shot."""
    seq = new()
    duration = 4e-3
    n = round(duration / raster)
    t = np.arange(n + 1) / n
    for shot in range(shots):
        rf, _ = pulse()
        seq.add_block(rf)
        angle = 2 * np.pi * shot / shots
        x, y = kx(t), ky(t)
        waves = {"x": np.diff(x * np.cos(angle) - y * np.sin(angle)) / raster,
                 "y": np.diff(x * np.sin(angle) + y * np.cos(angle)) / raster}
        if kz:
            waves["z"] = np.diff(kz(t)) / raster
        loose = pp.Opts(max_grad=1e9, max_slew=1e13)
        events = []
        for c, g in waves.items():
            # The last two samples are 0: before 1.5 the end is extrapolated from them, and pypulseq joins an end
            # that is not 0 with the next gradient by a line, also over blocks without gradients.
            g = g * np.minimum(1, np.minimum(np.arange(1, n + 1), np.maximum(np.arange(n, 0, -1) - 2, 0)) / 20)
            events.append(pp.make_arbitrary_grad(c, g, first=0, last=0, system=loose))
        adc = pp.make_adc(n * oversampling // 8, dwell=2 * raster, delay=adc_delay, system=pp.Opts()) \
            if oversampling == 4 else pp.make_adc(n, dwell=raster / 2, delay=adc_delay, system=pp.Opts())
        seq.add_block(*events, adc)
        seq.add_block(pp.make_delay(2e-3))
    return seq


def spiral(**more):
    r = matrix / (2 * fov)
    return shaped(lambda t: r * t * np.cos(8 * np.pi * t), lambda t: r * t * np.sin(8 * np.pi * t), **more)


def rosette():
    r = matrix / (2 * fov)
    return shaped(lambda t: r * np.sin(6 * np.pi * t) * np.cos(2 * np.pi * t),
                  lambda t: r * np.sin(6 * np.pi * t) * np.sin(2 * np.pi * t))


def cone():
    r = matrix / (2 * fov)
    return shaped(lambda t: r * t * np.cos(6 * np.pi * t) * 0.6, lambda t: r * t * np.sin(6 * np.pi * t) * 0.6,
                  kz=lambda t: r * t * 0.8)


def epi(spin_echo=False, angles=(0,)):
    seq = new()
    lines = 8
    gx, adc = readout()
    for blade, angle in enumerate(angles):
        c, s = np.cos(angle), np.sin(angle)

        def turned(area_x, area_y, duration):
            return [e for e in (pp.make_trapezoid("x", system=system, area=c * area_x - s * area_y, duration=duration),
                                pp.make_trapezoid("y", system=system, area=s * area_x + c * area_y, duration=duration))]

        sign = 1 if spin_echo else -1
        rf, gz = pulse(flip=90 if spin_echo else 20, slab=5e-3)
        seq.add_block(rf, gz)
        seq.add_block(pp.make_trapezoid("z", system=system, area=-gz.area / 2), *turned(
            sign * gx.area / 2, sign * lines / 2 / fov, 1.2e-3))
        if spin_echo:
            seq.add_block(pp.make_delay(2e-3))
            rf180, gz180 = pulse("refocusing", 180, 5e-3)
            seq.add_block(rf180, gz180)
            seq.add_block(pp.make_delay(2e-3))
        for line in range(lines):
            way = 1 if line % 2 == 0 else -1
            events = [oblique(axis, way * gx.amplitude * d, gx) for axis, d in (("x", c), ("y", s)) if abs(d) > 1e-9]
            seq.add_block(adc, *events, pp.make_label("LIN", "SET", line), pp.make_label("SET", "SET", blade))
            if line + 1 < lines:
                seq.add_block(*turned(0, 1 / fov, 4e-4))
        seq.add_block(pp.make_delay(5e-3))
    return seq


def extended():
    """Extended trapezoids that run on through three blocks."""
    seq = new()
    for n in range(6):
        rf, _ = pulse()
        seq.add_block(rf)
        a = 4e5 * np.cos(n)
        seq.add_block(pp.make_extended_trapezoid("x", np.array([0, a]), times=np.array([0, 3e-4]), system=system))
        adc = pp.make_adc(40, dwell=2e-5, delay=1e-5, system=pp.Opts())
        seq.add_block(pp.make_extended_trapezoid("x", np.array([a, a, a / 2]), times=np.array([0, 5e-4, 9e-4]),
                                                 system=system), adc)
        seq.add_block(pp.make_extended_trapezoid("x", np.array([a / 2, 0]), times=np.array([0, 2e-4]), system=system))
        seq.add_block(pp.make_delay(1e-3))
    return seq


def turbo():
    """Several refocusing pulses after one excitation."""
    seq = new()
    gx, adc = readout()
    half = pp.make_trapezoid("x", system=system, area=gx.area / 2, duration=1e-3)
    for shot in range(3):
        rf, _ = pulse(flip=90)
        seq.add_block(rf)
        seq.add_block(half)
        for echo in range(4):
            rf180, _ = pulse("refocusing", 180)
            seq.add_block(rf180)
            blip = (shot * 4 + echo - 6) / fov
            seq.add_block(pp.make_trapezoid("y", system=system, area=blip, duration=1e-3))
            seq.add_block(gx, adc, pp.make_label("ECO", "SET", echo))
            seq.add_block(pp.make_trapezoid("y", system=system, area=-blip, duration=1e-3))
        seq.add_block(pp.make_delay(5e-3))
    return seq


def prepared():
    """An inversion and a saturation pulse, which leave k alone; ramp sampling with a shifted readout."""
    seq = new()
    gx, _ = readout()
    adc = pp.make_adc(90, dwell=2e-5, delay=3e-5, system=pp.Opts())
    for n in range(5):
        rf, _ = pulse("inversion", 180)
        seq.add_block(rf)
        rf, _ = pulse("saturation", 110)
        seq.add_block(rf)
        rf, _ = pulse()
        seq.add_block(rf)
        seq.add_block(oblique("y", gx.amplitude * np.cos(n), gx), oblique("z", gx.amplitude * np.sin(n), gx), adc)
    return seq


def counted():
    """Loops over all labels, which are set, raised and lowered in blocks with and without readouts."""
    seq = new()
    gx, adc = readout()
    for rep in range(2):
        seq.add_block(pp.make_label("REP", "SET", rep), pp.make_label("LIN", "SET", 0), pp.make_label("PHS", "SET", 3))
        for shot in range(6):
            rf, _ = pulse()
            seq.add_block(rf, pp.make_label("SLC", "SET", shot % 3), pp.make_label("PAR", "SET", shot // 3),
                          pp.make_label("SEG", "INC", 2), pp.make_label("AVG", "SET", shot % 2))
            for echo in range(2):
                seq.add_block(gx, adc, pp.make_label("ECO", "SET", echo), pp.make_label("SET", "INC", 1))
            seq.add_block(pp.make_label("LIN", "INC", 1), pp.make_label("PHS", "INC", -1), pp.make_label("SEG", "INC", -1))
    return seq


golden = np.pi * (np.sqrt(5) - 1) / 2
sequences = {
    "radial": (spokes(plane(12, np.pi / 12)), False),
    "radial_golden": (spokes(plane(21, golden), slab=5e-3), False),
    "radial_labels": (spokes(plane(8, np.pi / 8), label=True), False),
    "radial_old": (spokes(plane(9, golden)), True),
    "counted": (counted(), False),
    "koosh": (spokes(sphere(30)), False),
    "koosh_slab": (spokes(sphere(11), slab=0.1), False),
    "koosh_old": (spokes(sphere(13)), True),
    "ute": (spokes(plane(10, 2 * np.pi / 10), centred=False), False),
    "ute_sphere": (spokes(sphere(16), centred=False), False),
    "ute_old": (spokes(sphere(7), centred=False, slab=0.2), True),
    "spiral": (spiral(), False),
    "spiral_fine": (spiral(oversampling=8, adc_delay=2.3e-5), False),
    "spiral_old": (spiral(shots=3), True),
    "rosette": (rosette(), False),
    "cone": (cone(), False),
    "epi": (epi(), False),
    "epi_spin_echo": (epi(spin_echo=True), False),
    "propeller": (epi(angles=np.arange(5) * np.pi / 5), False),
    "extended": (extended(), False),
    "turbo": (turbo(), False),
    "prepared": (prepared(), False),
}
folder = Path(sys.argv[1])
for name, (seq, old) in sequences.items():
    file = folder / f"{name}.seq"
    seq.write(str(file), v141_compat=old, check_timing=False)
    back = pp.Sequence(system)
    back.read(str(file), detect_rf_use=True)
    k = back.calculate_kspace()[0]
    np.ascontiguousarray(k.T).tofile(folder / f"{name}.k")
    labels = back.evaluate_labels(evolution="adc")
    lines = [" ".join([label, *(str(int(v)) for v in np.atleast_1d(values))]) for label, values in labels.items()]
    (folder / f"{name}.labels").write_text("".join(line + "\n" for line in lines))
    print(name, k.shape[1])
