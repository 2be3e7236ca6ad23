"""Samples of Bruker experiments as brkraw and brukerapi read them.

bruker_oracle.py STUDY: beside each experiment's folder N its numbers in the order of the file (N.brkraw, float32) and
its k-space (N.brukerapi, complex64: [channel, partition, shot, sample]).
"""

import sys
import warnings
from pathlib import Path

import brkraw
import numpy as np
from brkraw.dataclasses import Study
from brkraw.resolver import fid
from brukerapi.dataset import Dataset

warnings.filterwarnings("ignore")
folder = Path(sys.argv[1])
study = Study.from_path(folder)
for number in sorted(study.scans):
    fid.resolve(study.get_scan(number), as_complex=False).astype("<f4").tofile(folder / f"{number}.brkraw")
    data = next(p for p in (folder / str(number)).iterdir() if p.name in ("fid", "rawdata.job0"))
    dataset = Dataset(data)
    k = dataset.data if data.name == "fid" else dataset.to_kspace()
    # sample, shot, partition where there is one, objects and repetitions (1), channel
    k = k.reshape(k.shape[0], k.shape[1], -1, k.shape[-1], order="F")
    k.transpose(3, 2, 1, 0).astype("<c8").tofile(folder / f"{number}.brukerapi")
