from collections.abc import Callable, Iterator, Mapping, Sequence
from os import PathLike
from typing import Literal, Protocol, TypedDict, final, overload

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

__all__ = [
    "Ball", "Ground", "InputError", "Run", "Simulation", "Stopped", "__version__", "aim", "compare", "converge", "fit", "sweep",
]

_Kind = Literal["impact", "landing", "lift-off", "slip", "stick", "rest", "end-of-ground", "touch", "release"]
_Pair = tuple[float, float] | Sequence[float] | NDArray[np.float64]
_Force = Callable[[float, float, float, float, float], _Pair] | tuple[str, str]
_Value = float | str | bool | Sequence[float] | Sequence[str] | Sequence[Sequence[float]] | NDArray[np.float64]
_FrameKind = Literal["polars", "pandas", "pyarrow"]
_Numbers = float | Sequence[float] | NDArray[np.floating] | NDArray[np.integer]
_Floats = NDArray[np.float64]
_Words = NDArray[np.str_]

class _Column(Protocol):
    def __len__(self) -> int: ...
    def __getitem__(self, index: int, /) -> object: ...
    def __array__(self) -> NDArray[np.generic]: ...

class _Frame(Protocol):
    @property
    def columns(self) -> Sequence[str]: ...
    @property
    def shape(self) -> tuple[int, int]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str, /) -> _Column: ...

class _Event:
    index: int
    time: float
    kind: str
    phase_before: str
    phase_after: str
    x: float
    y: float
    s: float
    normal_velocity_before: float
    normal_velocity_after: float
    tangential_velocity_before: float
    tangential_velocity_after: float
    spin_before: float
    spin_after: float
    normal_impulse: float
    tangential_impulse: float
    energy_before: float
    energy_after: float
    name: str
    vx_before: float
    vy_before: float
    vx_after: float
    vy_after: float
    nx: float
    ny: float
    largest_normal_force: float
    ground: str

class _Events:
    index: NDArray[np.int64]
    kind: _Words
    phase_before: _Words
    phase_after: _Words
    name: _Words
    ground: _Words
    time: _Floats
    x: _Floats
    y: _Floats
    s: _Floats
    normal_velocity_before: _Floats
    normal_velocity_after: _Floats
    tangential_velocity_before: _Floats
    tangential_velocity_after: _Floats
    spin_before: _Floats
    spin_after: _Floats
    normal_impulse: _Floats
    tangential_impulse: _Floats
    energy_before: _Floats
    energy_after: _Floats
    vx_before: _Floats
    vy_before: _Floats
    vx_after: _Floats
    vy_after: _Floats
    nx: _Floats
    ny: _Floats
    largest_normal_force: _Floats
    shape: tuple[int]
    dtype: np.dtype[np.void]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_Event]: ...
    @overload
    def __getitem__(self, index: int) -> _Event: ...
    @overload
    def __getitem__(self, index: Literal["kind", "phase_before", "phase_after", "name", "ground"]) -> _Words: ...
    @overload
    def __getitem__(
        self,
        index: Literal[
            "time", "x", "y", "s", "normal_velocity_before", "normal_velocity_after", "tangential_velocity_before",
            "tangential_velocity_after", "spin_before", "spin_after", "normal_impulse", "tangential_impulse",
            "energy_before", "energy_after", "vx_before", "vy_before", "vx_after", "vy_after", "nx", "ny",
            "largest_normal_force",
        ],
    ) -> _Floats: ...
    @overload
    def __getitem__(self, index: Literal["index"]) -> NDArray[np.int64]: ...
    @overload
    def __getitem__(self, index: slice | NDArray[np.bool_] | NDArray[np.int64] | list[str]) -> _Events: ...
    def __array__(self) -> NDArray[np.void]: ...
    def tolist(self) -> list[tuple[object, ...]]: ...
    def tobytes(self) -> bytes: ...

class _Vector(np.ndarray[tuple[int], np.dtype[np.float64]]):
    def __getitem__(self, index: Literal[0, 1], /) -> np.float64: ...  # type: ignore[override]

class _State:
    time: float
    phase: str
    x: float
    y: float
    vx: float
    vy: float
    ax: float
    ay: float
    angle: float
    spin: float
    normal_force: float
    friction_force: float
    position: _Vector
    velocity: _Vector
    acceleration: _Vector
    def tobytes(self) -> bytes: ...

class _States:
    time: _Floats
    phase: _Words
    x: _Floats
    y: _Floats
    vx: _Floats
    vy: _Floats
    ax: _Floats
    ay: _Floats
    angle: _Floats
    spin: _Floats
    normal_force: _Floats
    friction_force: _Floats
    position: _Floats
    velocity: _Floats
    acceleration: _Floats
    shape: tuple[int, ...]
    dtype: np.dtype[np.void]
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[_State]: ...
    @overload
    def __getitem__(self, index: int) -> _State: ...
    @overload
    def __getitem__(self, index: Literal["phase"]) -> _Words: ...
    @overload
    def __getitem__(
        self,
        index: Literal[
            "time", "x", "y", "vx", "vy", "ax", "ay", "angle", "spin", "normal_force", "friction_force", "position",
            "velocity", "acceleration",
        ],
    ) -> _Floats: ...
    @overload
    def __getitem__(self, index: slice | NDArray[np.bool_] | NDArray[np.int64]) -> _States: ...
    def __array__(self) -> NDArray[np.void]: ...
    def tobytes(self) -> bytes: ...

class _Captures:
    time: _Floats
    duration: _Floats
    speed: _Floats
    pull: _Floats
    time_bound: _Floats
    velocity_bound: _Floats
    normal_impulse: _Floats
    tangential_impulse: _Floats
    dissipated: _Floats
    def __len__(self) -> int: ...
    def __getitem__(self, index: str) -> _Floats: ...
    def __array__(self) -> NDArray[np.void]: ...

class _Proof(TypedDict):
    time: _Floats
    x: _Floats
    y: _Floats
    open: str | None

class _Residual(TypedDict):
    residual: float
    time: float | None

class _Balance(TypedDict):
    place: _Residual
    momentum: _Residual
    angular_momentum: _Residual
    ground: _Residual
    captured: _Residual

class _Sensitivities(TypedDict):
    keys: list[str]
    times: _Floats
    states: _Floats
    events: _Floats
    event_times: _Floats
    event_rows: NDArray[np.int64]
    grazing: NDArray[np.bool_]

class _Parameter(TypedDict):
    key: str
    estimate: float
    standard_error: float | None
    interval_95: list[float | None] | None
    interval_ends: list[str]
    start: float
    bounds: list[float | None]
    at_bound: str | bool | None

class _Fit(TypedDict):
    title: str
    versions: dict[str, str]
    data: dict[str, object]
    loss: str | dict[str, float]
    converged: bool
    found_from: str
    starts: int
    parameters: list[_Parameter]
    correlation: list[list[float]]
    residuals: dict[str, object]
    outliers: list[dict[str, object]]
    settings: list[str]
    scenario: dict[str, object]
    simulation: Simulation

class _Goal(TypedDict):
    quantity: str
    wish: str
    asked: float | None
    value: float
    time: float | None

class _Free(TypedDict):
    key: str
    given: float
    start: float
    value: float
    at_bound: str | bool | None
    no_effect: bool

class _Aimed(TypedDict):
    goals: list[_Goal]
    reached: bool
    end: str | None
    cut_off_by_the_end_of_the_run: bool
    free: list[_Free]
    settings: list[str]
    way: str
    runs: int
    history: list[object]
    scenario: dict[str, object]
    simulation: Simulation

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
    def parametric(x: str, y: str, domain: _Pair) -> Ground: ...
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
    def lines(self, left: float, right: float) -> list[_Floats]: ...

@final
class Simulation:
    def __new__(
        cls,
        *,
        ball: Ball,
        ground: Ground,
        # <keys None>
        position: _Pair | None = None,
        velocity: _Pair | None = None,
        spin: float | None = None,
        x: float | None = None,
        speed: float | None = None,
        gravity: _Pair | None = None,
        drag: float | None = None,
        wind: _Pair | None = None,
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
        force: _Force | None = None,
        watch: Mapping[str, Mapping[str, _Value]] | None = None,
        until: _Kind | str | Sequence[str] | Callable[[_Event], bool] | None = None,
        keys: Mapping[str, _Value] | None = None,
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
        position: _Pair = ...,
        velocity: _Pair = ...,
        spin: float = ...,
        x: float = ...,
        speed: float = ...,
        gravity: _Pair = ...,
        drag: float = ...,
        wind: _Pair = ...,
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
        force: _Force | None = ...,
        watch: Mapping[str, Mapping[str, _Value]] | None = ...,
        until: _Kind | str | Sequence[str] | Callable[[_Event], bool] | None = ...,
        keys: Mapping[str, _Value] = ...,
    ) -> Simulation: ...
    def run(self, duration: float | None = None, observer: Callable[[_Event], object] | None = None) -> Run: ...

@final
class Run:
    @property
    def events(self) -> _Events: ...
    def events_frame(self, kind: _FrameKind | None = None) -> _Frame: ...
    @overload
    def at(self, times: float) -> _State: ...
    @overload
    def at(self, times: Sequence[float] | NDArray[np.float64]) -> _States: ...
    def resume(self, until: float, observer: Callable[[_Event], object] | None = None) -> Run: ...
    def sensitivities(self, keys: str | Sequence[str], times: Sequence[float] | NDArray[np.float64] | None = None) -> _Sensitivities: ...
    @property
    def begin(self) -> float: ...
    @property
    def end(self) -> float: ...
    @property
    def captures(self) -> _Captures: ...
    @property
    def summary(self) -> dict[str, object]: ...
    @property
    def balance(self) -> _Balance: ...
    def prove(self) -> _Proof: ...
    @property
    def stop(self) -> str | None: ...
    @property
    def phases(self) -> list[tuple[str, float, float]]: ...
    @property
    def unexplained(self) -> float: ...
    @property
    def simulation(self) -> Simulation: ...
    def html(self) -> str: ...
    def plot(self, points: int = 1000) -> Figure: ...
    def ground_lines(self, left: float, right: float) -> list[_Floats]: ...
    def _repr_html_(self) -> str: ...

def compare(
    sim: Simulation,
    methods: str | Sequence[str],
    steps: str | _Numbers | None = None,
    tolerances: str | _Numbers | None = None,
    tries: int = 0,
    kind: _FrameKind | None = None,
) -> _Frame: ...
def converge(
    sim: Simulation,
    methods: str | Sequence[str],
    steps: str | _Numbers,
    observe: str | Sequence[str] | None = None,
    kind: _FrameKind | None = None,
) -> _Frame: ...
def aim(
    sim: Simulation,
    free: str | Sequence[str],
    targets: str | Sequence[str] | None = None,
    minimise: str | None = None,
    maximise: str | None = None,
    runs: int = 5000,
) -> _Aimed: ...
def fit(
    table: object,
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
) -> _Fit: ...
def sweep(
    sim: Simulation,
    vary: Mapping[str, str | _Numbers] | None = None,
    sample: Mapping[str, str] | None = None,
    observe: str | Sequence[str] | None = None,
    count: int | None = None,
    design: Literal["random", "sobol", "latin"] | None = None,
    seed: int = 0,
    skip: int = 0,
    threads: int | None = None,
    kind: _FrameKind | None = None,
) -> _Frame: ...
