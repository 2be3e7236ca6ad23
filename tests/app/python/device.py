"""Arrays in a GPU's memory as any library shows them, made with CUDA's driver alone."""

import ctypes

import numpy as np
import spokelab


class Fake:
    """What any array library of a GPU shows; its memory is whatever `pointer` says."""

    def __init__(self, pointer, shape, dtype, **fields):
        self.shape, self.dtype = shape, np.dtype(dtype)
        self.__cuda_array_interface__ = {"version": 3, "shape": tuple(shape), "typestr": self.dtype.str,
                                         "data": (pointer, False), "strides": None, **fields}


class Driver:
    """CUDA's driver and device 0, where they are; else `missing` says why not."""

    def __init__(self):
        self.missing = ""
        cuda = spokelab.backends()[1]
        if not cuda.usable:
            self.missing = cuda.text
            return
        try:
            self.library = ctypes.CDLL("libcuda.so.1")
        except OSError as error:
            self.missing = f"No GPU: {error}"
            return
        context = ctypes.c_void_p()
        self.call("cuInit", 0)
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), 0)
        self.call("cuCtxSetCurrent", context)

    def call(self, name, *arguments):
        status = getattr(self.library, name)(*arguments)
        if status:
            raise RuntimeError(f"{name} gives {status}")

    def stream(self):
        stream = ctypes.c_void_p()
        self.call("cuStreamCreate", ctypes.byref(stream), 1)
        return stream.value

    def wait(self):
        self.call("cuCtxSynchronize")


class DeviceArray(Fake):
    """Memory of its own on the device."""

    def __init__(self, driver, values, **fields):
        self.driver, pointer = driver, ctypes.c_uint64()
        driver.call("cuMemAlloc_v2", ctypes.byref(pointer), ctypes.c_size_t(max(values.nbytes, 1)))
        super().__init__(pointer.value, values.shape, values.dtype, **fields)
        self.pointer = pointer
        values = np.ascontiguousarray(values)
        driver.call("cuMemcpyHtoD_v2", pointer, values.ctypes.data_as(ctypes.c_void_p),
                    ctypes.c_size_t(values.nbytes))

    def __del__(self):
        self.driver.call("cuMemFree_v2", self.pointer)

    def new_empty(self, shape):
        return DeviceArray(self.driver, np.zeros(shape, self.dtype))

    def read(self):
        self.driver.wait()
        values = np.empty(self.shape, self.dtype)
        self.driver.call("cuMemcpyDtoH_v2", values.ctypes.data_as(ctypes.c_void_p), self.pointer,
                         ctypes.c_size_t(values.nbytes))
        return values


class _Device(ctypes.Structure):
    _fields_ = [("type", ctypes.c_int32), ("id", ctypes.c_int32)]


class _Type(ctypes.Structure):
    _fields_ = [("code", ctypes.c_uint8), ("bits", ctypes.c_uint8), ("lanes", ctypes.c_uint16)]


class _Tensor(ctypes.Structure):
    _fields_ = [("data", ctypes.c_void_p), ("device", _Device), ("axes", ctypes.c_int32), ("type", _Type),
                ("shape", ctypes.POINTER(ctypes.c_int64)), ("strides", ctypes.POINTER(ctypes.c_int64)),
                ("offset", ctypes.c_uint64)]


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = [("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", _Deleter)]
_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_NAME = b"dltensor"
_CODES = {"i": 0, "u": 1, "f": 2, "c": 5}


class Dlpack:
    """DLPack alone, over the memory of an array with ``__cuda_array_interface__``; counts what it lends."""

    def __init__(self, array, library, strides=None, device=(2, 0)):
        self.array, self.library, self.strides, self.device = array, library, strides, device
        self.shape, self.dtype = array.shape, array.dtype
        self.streams, self.lent = [], {}

    def __dlpack_device__(self):
        return self.device

    def __array_namespace__(self):
        return self.library

    def __dlpack__(self, *, stream=None):
        self.streams.append(stream)
        axes = len(self.shape)
        shape = (ctypes.c_int64 * axes)(*self.shape)
        strides = None if self.strides is None else (ctypes.c_int64 * axes)(*self.strides)
        managed = _Managed()
        tensor = managed.tensor
        tensor.data = self.array.__cuda_array_interface__["data"][0]
        tensor.device = _Device(*self.device)
        tensor.axes = axes
        tensor.type = _Type(_CODES[self.dtype.kind], 8 * self.dtype.itemsize, 1)
        tensor.shape = ctypes.cast(shape, ctypes.POINTER(ctypes.c_int64))
        tensor.strides = ctypes.cast(strides, ctypes.POINTER(ctypes.c_int64))
        key = ctypes.addressof(managed)
        managed.deleter = _Deleter(lambda _: self.lent.pop(key) and None)
        self.lent[key] = (managed, shape, strides)
        return _new_capsule(key, _NAME, None)

    def read(self):
        return self.array.read()


class DlpackLibrary:
    """As far as the array API goes; its arrays lie on the driver's device."""

    def __init__(self, driver=None):
        self.driver = driver

    def asarray(self, values):
        return Dlpack(DeviceArray(self.driver, values), self)

    def empty(self, shape, dtype, device):
        assert device == (2, 0)
        return self.asarray(np.zeros(shape, dtype))

    def flip(self, array, axis):
        return self.asarray(np.flip(array.read(), axis))
