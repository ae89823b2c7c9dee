from collections.abc import Callable, Mapping, Sequence
from os import PathLike
from typing import Any, Literal, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

Kind = Literal["impact", "landing", "lift-off", "slip", "stick", "rest", "end-of-ground", "touch", "release"]
Pair = tuple[float, float] | Sequence[float] | NDArray[np.float64]
Force = Callable[[float, float, float, float, float], Pair] | tuple[str, str]
Records = np.recarray[Any, np.dtype[np.record]]

__version__: str

class InputError(ValueError, TypeError):
    key: str | None
    help: str | None
    def __init__(self, message: str, key: str | None = None, help: str | None = None) -> None: ...

class Stopped(RuntimeError):
    run: Run | None
    def __init__(self, message: str, run: Run | None = None) -> None: ...

@final
class Ball:
    def __new__(cls, mass: float, radius: float, inertia: float) -> Ball: ...
    @staticmethod
    def point(mass: float) -> Ball: ...
    @staticmethod
    def solid_sphere(mass: float, radius: float) -> Ball: ...
    @staticmethod
    def hollow_sphere(mass: float, radius: float) -> Ball: ...
    @staticmethod
    def disc(mass: float, radius: float) -> Ball: ...
    @property
    def mass(self) -> float: ...
    @property
    def radius(self) -> float: ...
    @property
    def inertia(self) -> float: ...

@final
class Ground:
    @staticmethod
    def graph(y: str) -> Ground: ...
    @staticmethod
    def parametric(x: str, y: str, domain: Pair) -> Ground: ...
    @staticmethod
    def polyline(xy: ArrayLike) -> Ground: ...
    @staticmethod
    def spline(xy: ArrayLike) -> Ground: ...
    @staticmethod
    def smoothing_spline(
        xy: ArrayLike, sigma: float | None = None, largest_deviation: float | None = None
    ) -> Ground: ...
    @staticmethod
    def from_file(path: str | PathLike[str]) -> Ground: ...
    @staticmethod
    def from_text(text: str) -> Ground: ...
    def lines(self, left: float, right: float) -> list[NDArray[np.float64]]: ...

@final
class Simulation:
    def __new__(
        cls,
        *,
        ball: Ball,
        ground: Ground,
        # <keys None>
        position: Pair | None = None,
        velocity: Pair | None = None,
        spin: float | None = None,
        x: float | None = None,
        speed: float | None = None,
        gravity: Pair | None = None,
        drag: float | None = None,
        wind: Pair | None = None,
        magnus: float | None = None,
        linear_drag: float | None = None,
        restitution: float | None = None,
        tangential_restitution: float | None = None,
        friction: float | Literal["infinite"] | None = None,
        rolling_damping: float | None = None,
        rolling_resistance: float | None = None,
        method: Literal["newmark", "bdf", "radau", "dop853", "ballistic", "taylor", "auto", "moreau", "kern", "events"] | None = None,
        formulation: Literal["index3", "stabilized-index2", "projected", "symmetric", "arc-length", "taylor"] | None = None,
        tolerance: float | None = None,
        step: float | None = None,
        capture_speed: float | None = None,
        # </keys>
        force: Force | None = None,
        watch: Mapping[str, Mapping[str, Any]] | None = None,
        until: Kind | str | Sequence[str] | Callable[[Any], bool] | None = None,
        keys: Mapping[str, Value] | None = None,
    ) -> Simulation: ...
    @staticmethod
    def from_toml(text_or_path: str | PathLike[str], base: str | PathLike[str] | None = None) -> Simulation: ...
    def to_toml(self) -> str: ...
    def replace(
        self,
        *,
        ball: Ball = ...,
        ground: Ground = ...,
        # <keys ...>
        position: Pair = ...,
        velocity: Pair = ...,
        spin: float = ...,
        x: float = ...,
        speed: float = ...,
        gravity: Pair = ...,
        drag: float = ...,
        wind: Pair = ...,
        magnus: float = ...,
        linear_drag: float = ...,
        restitution: float = ...,
        tangential_restitution: float = ...,
        friction: float | Literal["infinite"] = ...,
        rolling_damping: float = ...,
        rolling_resistance: float = ...,
        method: Literal["newmark", "bdf", "radau", "dop853", "ballistic", "taylor", "auto", "moreau", "kern", "events"] = ...,
        formulation: Literal["index3", "stabilized-index2", "projected", "symmetric", "arc-length", "taylor"] = ...,
        tolerance: float = ...,
        step: float = ...,
        capture_speed: float = ...,
        # </keys>
        force: Force | None = ...,
        watch: Mapping[str, Mapping[str, Value]] | None = ...,
        until: Kind | str | Sequence[str] | Callable[[EventRecord], bool] | None = ...,
        keys: Mapping[str, Value] = ...,
    ) -> Simulation: ...
    def run(self, duration: float | None = None, observer: Callable[[Any], object] | None = None) -> Run: ...

@final
class Run:
    @property
    def events(self) -> Records: ...
    def events_frame(self, kind: Literal["polars", "pandas", "pyarrow"] | None = None) -> Any: ...
    def at(self, times: ArrayLike) -> Any: ...
    def resume(self, until: float, observer: Callable[[Any], object] | None = None) -> Run: ...
    def sensitivities(self, keys: str | Sequence[str], times: ArrayLike | None = None) -> dict[str, Any]: ...
    @property
    def end(self) -> float: ...
    @property
    def stop(self) -> str | None: ...
    @property
    def phases(self) -> list[tuple[str, float, float]]: ...
    @property
    def unexplained(self) -> float: ...
    @property
    def simulation(self) -> Simulation: ...
    def html(self) -> str: ...
    def plot(self, points: int = 1000) -> Any: ...
    def ground_lines(self, left: float, right: float) -> list[NDArray[np.float64]]: ...
    def _repr_html_(self) -> str: ...

def compare(
    sim: Simulation,
    methods: str | Sequence[str],
    steps: str | ArrayLike | None = None,
    tolerances: str | ArrayLike | None = None,
    tries: int = 0,
) -> Any: ...
def converge(
    sim: Simulation, methods: str | Sequence[str], steps: str | ArrayLike, observe: str | Sequence[str] | None = None
) -> Any: ...
def aim(
    sim: Simulation,
    free: str | Sequence[str],
    targets: str | Sequence[str] | None = None,
    minimise: str | None = None,
    maximise: str | None = None,
    runs: int = 5000,
) -> dict[str, Any]: ...
def fit(
    table: Any,
    sim: Simulation,
    free: str | Sequence[str],
    sigma: float | str | None = None,
    columns: str | None = None,
    unit: str | None = None,
    fps: float | None = None,
    scale: float | None = None,
    y_down: bool = False,
    huber: float | None = None,
    start: float | None = None,
    end: float | None = None,
    track: str | None = None,
    camera: bool = False,
    every_row: bool = False,
) -> dict[str, Any]: ...
def sweep(
    sim: Simulation,
    vary: Mapping[str, Any] | None = None,
    sample: Mapping[str, str] | None = None,
    observe: str | Sequence[str] | None = None,
    count: int | None = None,
    design: Literal["random", "sobol", "latin"] | None = None,
    seed: int = 0,
    skip: int = 0,
    threads: int | None = None,
) -> Any: ...
