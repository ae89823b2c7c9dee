"""States and other records, with a column for each number."""

import numpy as np

_PAIRS = {"position": ("x", "y"), "velocity": ("vx", "vy"), "acceleration": ("ax", "ay")}


class _Pairs:
    """Pairs of columns by one name: `position` is x and y."""

    def __getitem__(self, index):
        if isinstance(index, str) and index in _PAIRS:
            return np.stack([super(_Pairs, self).__getitem__(name) for name in _PAIRS[index]], -1)
        return super().__getitem__(index)

    position = property(lambda self: self["position"])
    velocity = property(lambda self: self["velocity"])
    acceleration = property(lambda self: self["acceleration"])


class State(_Pairs, np.record):
    """The ball at a time."""


class States(_Pairs, np.recarray):
    """The ball at several times."""

    def __array_finalize__(self, _):
        """Keeps the type of its records."""

    def __getitem__(self, index):
        part = super().__getitem__(index)
        return _seen(part, self.dtype) if isinstance(part, States) and part.dtype.names == self.dtype.names else part


def _seen(records, dtype):
    return records.view(np.ndarray).view(dtype).view(States)


def states(words, fields):
    """Words of 8 bytes, seen as states: each number is a column of its own, what frames are made of."""
    return _seen(words, np.dtype((State, fields)))


def records(columns):
    """An array of records of columns of numbers."""
    made = np.empty(len(next(iter(columns.values()))), [(name, "f8") for name in columns])
    for name, cells in columns.items():
        made[name] = cells
    return made.view(np.recarray)
