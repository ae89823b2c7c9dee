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
_Acceleration = Callable[[float, float, float, float, float], tuple[float, float]]
_Scheme = tuple[Callable[[float, float, float, float, float, float, _Acceleration], Sequence[float]], int]
_Impact = Callable[[float, float, list[list[float]], float, float], _Pair] | str
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
    """What was given can't be used. The message names place and rule; `key` the argument or key; `help` says what to do."""
    key: str | None
    help: str | None
    def __init__(self, message: str, key: str | None = None, help: str | None = None) -> None: ...

class Stopped(RuntimeError):
    """The run could not go on. `run` is what there is of it, or None where there is none."""
    run: Run | None
    def __init__(self, message: str, run: Run | None = None) -> None: ...

@final
class Ball:
    """A ball: its mass (kg), radius (m) and inertia factor k of I = k m R².

    >>> import kugelbahn as kb
    >>> kb.Ball.solid_sphere(mass=1.0, radius=0.05)
    Ball(mass=1.0, radius=0.05, inertia=0.4)
    """
    def __new__(cls, mass: float, radius: float, inertia: float) -> Ball: ...
    @staticmethod
    def point(mass: float) -> Ball:
        """A point mass (kg), which has no radius and does not turn."""
    @staticmethod
    def solid_sphere(mass: float, radius: float) -> Ball:
        """A solid sphere: mass (kg), radius (m); k = 2/5."""
    @staticmethod
    def hollow_sphere(mass: float, radius: float) -> Ball:
        """A hollow sphere: mass (kg), radius (m); k = 2/3."""
    @staticmethod
    def disc(mass: float, radius: float) -> Ball:
        """A disc: mass (kg), radius (m); k = 1/2."""
    @property
    def mass(self) -> float:
        """kg"""
    @property
    def radius(self) -> float:
        """m"""
    @property
    def inertia(self) -> float:
        """k of I = k m R²."""

@final
class Ground:
    """A ground curve; the ball is above a graph, and to the left of travel along any other.

    >>> import kugelbahn as kb
    >>> kb.Ground.graph("0.25*sin(pi*x)")
    Ground.graph('0.25*sin(pi*x)')
    """
    @staticmethod
    def graph(y: str) -> Ground:
        """The graph y(x) of a formula, in m."""
    @staticmethod
    def parametric(x: str, y: str, domain: _Pair) -> Ground:
        """The curve (x(s), y(s)) of formulas, in m, for s in domain = (from, to)."""
    @staticmethod
    def polyline(xy: ArrayLike) -> Ground:
        """Straight from point to point: an array of shape (n, 2), in m."""
    @staticmethod
    def spline(xy: ArrayLike) -> Ground:
        """A cubic spline through points: an array of shape (n, 2), in m."""
    @staticmethod
    def smoothing_spline(
        xy: ArrayLike, sigma: float | None = None, largest_deviation: float | None = None
    ) -> Ground:
        """A smooth spline near points that scatter: an array of shape (n, 2), in m. sigma: the standard deviation of the points
        (m); or largest_deviation: how far the farthest may be off (m). With neither, the noise is found by generalised
        cross-validation.
        """
    @staticmethod
    def from_file(path: str | PathLike[str]) -> Ground:
        """A curve file, such as curves/sine.toml; pickled by its path."""
    @staticmethod
    def from_text(text: str) -> Ground:
        """The text of a curve file (TOML)."""
    def lines(self, left: float, right: float) -> list[_Floats]:
        """Lines for drawing between two abscissas (m): a list of arrays of shape (n, 2), in m."""

@final
class Simulation:
    """A ball, its ground, and what acts on it. Everything is named; `replace` makes variants.

    ball: a Ball; ground: a Ground; position, velocity and spin of a throw, or x and speed of a start on the ground:

    position (m): start: place; the centre
    velocity (m/s): start: velocity; of the centre
    spin (rad/s): start: spin, counter-clockwise; ω
    x (m): start on the ground: place to the right; abscissa of the ground point
    speed (m/s): start on the ground: speed along it; of the centre along τ; its sign says on which side of a corner the ball is
    gravity (m/s²): gravity; a number counts downwards, a pair as it is
    drag (kg/m): drag by the square of the speed; k_D: the force is −k_D‖w‖w
    wind (m/s): wind; velocity of the air
    magnus (kg): Magnus force: lift by spin and speed; m_c: the force is m_c ω J w, w = v − wind
    linear_drag (N s/m): drag by the speed; k_L: the force is −k_L w, w = v − wind
    restitution: restitution: how much a bounce gives back; e, a number or a formula of the speed of approach v in m/s
    tangential_restitution: tangential restitution: how spin turns round in a bounce; e_t
    friction: friction coefficient μ; compliant: a number, regularised
    static_friction: static friction: up to where it sticks; μ_s: what sticks slips beyond it, and slides with friction
    rolling_damping (N s/m): damping along the ground, by the speed; d: −d v while in contact
    rolling_resistance: rolling resistance; c_rr: a couple c_rr R λ against the spin
    method: flight method of an event-driven run, such as "ballistic", "taylor" and "auto"; "moreau", "kern": time stepping; "events": many balls event by event: newmark, bdf, radau, dop853, ballistic, taylor, auto
    formulation: contact method; Taylor series, which "auto" takes where none is given, but with a step: index3, stabilized-index2, projected, symmetric, arc-length, taylor
    tolerance: error that is allowed; relative and absolute; at least 1e-14 for all methods but newmark
    step (s): time step; fixed
    capture_speed (m/s): slower bounces may be summed up; how; of time stepping: slower than this in two steps is resting; of "events": a slower bounce on straight ground ends there

    force: a callable force(t, x, y, vx, vy) that returns (Fx, Fy) in N, or two formulas
    scheme: a flight method: a pair of a callable step(t, x, y, vx, vy, h, acceleration) that returns (x, y, vx, vy) h seconds later, with
        acceleration(t, x, y, vx, vy) = (ax, ay), and of its order
    impact: a law of impact: a name such as "stronge", or a callable impact(un, ut, mobility, e, mu) that returns (Pn, Pt) in N s
    watch: what is located besides events, by name, such as {"gate": {"x": 3.0, "direction": "up"}}, with the keys of `[[watch]]`
    until: the kind of event with which runs end, moments as in `solver.until` such as ["impact.10", "watch.gate", "t=5"], of which the
        first ends them, or a callable of an event
    keys: of a scenario file, such as {"solver.limit": 1000}, put at once with the other numbers

    >>> import kugelbahn as kb
    >>> sim = kb.Simulation(ball=kb.Ball.solid_sphere(mass=1.0, radius=0.05), ground=kb.Ground.graph("0.25*sin(pi*x)"),
    ...                     restitution=0.7, friction=0.2, position=(-0.75, 1.2), velocity=(3.5, 0.0), tolerance=1e-9)
    >>> sim.run(3.05).events["kind"][0]
    np.str_('impact')
    """
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
        restitution: float | str | None = None,
        tangential_restitution: float | None = None,
        friction: float | Literal["infinite"] | None = None,
        static_friction: float | None = None,
        rolling_damping: float | None = None,
        rolling_resistance: float | None = None,
        method: Literal["newmark", "bdf", "radau", "dop853", "ballistic", "taylor", "auto"] | None = None,
        formulation: Literal["index3", "stabilized-index2", "projected", "symmetric", "arc-length", "taylor"] | None = None,
        tolerance: float | None = None,
        step: float | None = None,
        capture_speed: float | None = None,
        # </keys>
        force: _Force | None = None,
        scheme: _Scheme | None = None,
        impact: _Impact | None = None,
        watch: Mapping[str, Mapping[str, _Value]] | None = None,
        until: _Kind | str | Sequence[str] | Callable[[_Event], bool] | None = None,
        keys: Mapping[str, _Value] | None = None,
    ) -> Simulation: ...
    @staticmethod
    def from_toml(text_or_path: str | PathLike[str], base: str | PathLike[str] | None = None) -> Simulation:
        """As a scenario file says: its path, or its text.

        >>> import kugelbahn as kb
        >>> text = '''
        ... ball = { mass = 1, radius = 0.1 }
        ... initial = { position = [0, 1] }
        ... ground = { curve = { kind = "graph", y = "0" } }
        ... solver = { duration = 2 }
        ... '''
        >>> kb.Simulation.from_toml(text).run().end
        2.0
        """
    def to_toml(self) -> str:
        """The text of a scenario file that makes the same runs. A callable force has no text."""
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
        restitution: float | str = ...,
        tangential_restitution: float = ...,
        friction: float | Literal["infinite"] = ...,
        static_friction: float = ...,
        rolling_damping: float = ...,
        rolling_resistance: float = ...,
        method: Literal["newmark", "bdf", "radau", "dop853", "ballistic", "taylor", "auto"] = ...,
        formulation: Literal["index3", "stabilized-index2", "projected", "symmetric", "arc-length", "taylor"] = ...,
        tolerance: float = ...,
        step: float = ...,
        capture_speed: float = ...,
        # </keys>
        force: _Force | None = ...,
        scheme: _Scheme = ...,
        impact: _Impact = ...,
        watch: Mapping[str, Mapping[str, _Value]] | None = ...,
        until: _Kind | str | Sequence[str] | Callable[[_Event], bool] | None = ...,
        keys: Mapping[str, _Value] = ...,
    ) -> Simulation:
        """The same with other arguments, or other values of a scenario's keys: replace(restitution=0.8),
        replace(keys={"ground.parameters.amplitude": 0.3}). Of two values of one thing the later one holds; None takes away a force,
        `until` or watches.

        >>> import kugelbahn as kb
        >>> sim = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
        >>> sim.replace(restitution=0.5).run(1.0).events["normal_velocity_after"][0] > 0
        np.True_
        """
    def run(self, duration: float | None = None, observer: Callable[[_Event], object] | None = None) -> Run:
        """Runs for a duration (s; that of the scenario file where it is not given). `observer` is called with each event.

        Other Python threads go on meanwhile; Ctrl-C stops it. A run that could not go on is raised as kb.Stopped.
        """

@final
class Run:
    """A run that is over: its events, its path at every time, and what its balance came to. Made by `Simulation.run`.

    >>> import kugelbahn as kb
    >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.5)
    >>> run = drop.run(1.0)
    >>> run.events["kind"].tolist()
    ['impact', 'impact']
    """
    @property
    def events(self) -> _Events:
        """Events as an array of records (numpy.recarray) with the columns of events.csv; SI units."""
    def events_frame(self, kind: _FrameKind | None = None) -> _Frame:
        """Events as a frame of polars or pandas, whichever is there."""
    @overload
    def at(self, times: float) -> _State:
        """The ball at a time or an array of times (s): records with time, phase, position, velocity, acceleration (m, s), angle and
        spin (rad, s), normal_force and friction_force (N). At the time of an event: after it.

        >>> import kugelbahn as kb
        >>> run = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), velocity=(2, 0)).run(0.2)
        >>> run.at([0.0, 0.1]).position[:, 0].tolist()
        [0.0, 0.2]
        """
    @overload
    def at(self, times: Sequence[float] | NDArray[np.float64]) -> _States: ...
    def resume(self, until: float, observer: Callable[[_Event], object] | None = None) -> Run:
        """The run gone on with to a later time (s): a new run whose first part is this one, bit for bit; the rest agrees with a run in one
        part to its tolerance.

        >>> import kugelbahn as kb
        >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), restitution=0.5, until="impact")
        >>> len(drop.run(1.0).resume(1.0).events)
        2
        """
    def sensitivities(self, keys: str | Sequence[str], times: Sequence[float] | NDArray[np.float64] | None = None) -> _Sensitivities:
        """Derivatives by numbers of the scenario, through all events.

        keys: of the scenario, such as "contact.restitution", or arguments such as "restitution" and "velocity.x"; times: s, ascending
        (default: the end). A dict of arrays: `states` (times, 6, keys) of x, y, vx, vy, spin, angle at fixed times; `event_times`
        (events, keys), s by each key; `events` (events, 6, keys), of the state just after each event; `grazing` (events), where they
        say little; `event_rows` (events), their rows in run.events. A pair of numbers such as "gravity" has two columns.

        >>> import kugelbahn as kb
        >>> run = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1), velocity=(2, 0)).run(0.3)
        >>> run.sensitivities(["velocity.x"])["states"][0, :, 0].round(12).tolist()
        [0.3, 0.0, 1.0, 0.0, 0.0, 0.0]
        """
    @property
    def begin(self) -> float:
        """When it began, s."""
    @property
    def end(self) -> float:
        """When it ended, s."""
    @property
    def captures(self) -> _Captures:
        """Bounces that were summed up, an array of records: when the first one left the ground (s), how long they lasted (s), with which
        speed (m/s) against which pull (m/s²), bounds of the errors of time (s) and velocity (m/s), impulses (N s), what was lost (J).
        """
    @property
    def summary(self) -> dict[str, object]:
        """Everything that summary.json says of it, as a dict: counts of work and events, energies, the final state."""
    @property
    def balance(self) -> _Balance:
        """The largest errors of place, momentum, angular momentum and distance from the ground at events, and when: `balance` of the summary."""
    def prove(self) -> _Proof:
        """For each event an interval that contains its true time and place, until that can't be proven: a dict of arrays `time` (events, 2),
        s, `x` and `y` (events, 2), m, and `open`, why the next event is not proven, or None.

        >>> import kugelbahn as kb
        >>> proof = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1)).run(1.0).prove()
        >>> low, high = proof["time"][0]
        >>> bool(low <= (2 / 9.81) ** 0.5 <= high)
        True
        """
    @property
    def stop(self) -> str | None:
        """Why it ended before its time, or None: `until` or an observer are no such reason."""
    @property
    def phases(self) -> list[tuple[str, float, float]]:
        """What the ball did, from when to when: a list of (phase, from, to), s."""
    @property
    def unexplained(self) -> float:
        """Energy that the ledger can't explain, J."""
    @property
    def simulation(self) -> Simulation:
        """What was run."""
    def html(self) -> str:
        """The page with the moving ball, as `kugelbahn run --html` writes it: a text."""
    def plot(self, points: int = 1000) -> Figure:
        """Path over the ground, height and speed over time, with matplotlib: the figure."""
    def ground_lines(self, left: float, right: float) -> list[_Floats]:
        """Lines of the ground between two abscissas (m), for drawing."""
    def _repr_html_(self) -> str: ...

def compare(
    sim: Simulation,
    methods: str | Sequence[str],
    steps: str | _Numbers | None = None,
    tolerances: str | _Numbers | None = None,
    tries: int = 0,
    kind: _FrameKind | None = None,
) -> _Frame:
    """The simulation by several methods, each judged by a reference: a frame, a row a method and step (or tolerance).

    methods: such as "newmark", "bdf", or "all"; steps: fixed steps (s); tolerances: of event-driven methods; tries: runs timed
    for each CPU time (default: none is timed); kind: of frame, "polars", "pandas" or "pyarrow" (default: the first that is there).
    """
def converge(
    sim: Simulation,
    methods: str | Sequence[str],
    steps: str | _Numbers,
    observe: str | Sequence[str] | None = None,
    kind: _FrameKind | None = None,
) -> _Frame:
    """Errors of methods over their steps, and the orders: a frame, a row a method, quantity and step.

    methods: such as "newmark"; steps: fixed steps (s), two at least; observe: of x, v, lambda, energy, event-time; kind: of frame, as
    in compare.
    """
def aim(
    sim: Simulation,
    free: str | Sequence[str],
    targets: str | Sequence[str] | None = None,
    minimise: str | None = None,
    maximise: str | None = None,
    runs: int = 5000,
) -> _Aimed:
    """Numbers of the simulation with which its run does what is asked: a dict as aim.json, and `simulation`.

    free: keys with bounds if wanted, such as "velocity.y=0..5"; targets: such as "landing.x = 3.0"; or one quantity to
    minimise or maximise; runs: allowed. A run lasts as `solver.duration` says, 10 s where nothing does.

    >>> import kugelbahn as kb
    >>> throw = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 0), velocity=(1, 4))
    >>> found = kb.aim(throw, "velocity.x", targets="impact.1.x = 2")
    >>> round(found["simulation"].run(1.0).at(0.0).velocity[0], 9)
    np.float64(2.4525)
    """
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
) -> _Fit:
    """Numbers of the simulation from places of a ball over time: a dict as fit.json, and `simulation`.

    table: a frame or dict with columns such as t, x, y; an array of shape (n, 3) of them (s, m); or the path of a file that
    `kugelbahn fit` reads, such as an export of Tracker. free: keys with bounds if wanted, such as "contact.restitution=0..1"; sigma: of
    places (m), or the name of a column; huber: for tables with outliers, k in standard deviations; start, end: times of the table (s)
    between which the run is; track: which ball of several; camera: find what the camera did, too; every_row: leave no row out.
    """
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
) -> _Frame:
    """Many runs of the simulation whose values vary: a frame, a row a run. The rows are those of `kugelbahn sweep`, to the bit.

    vary: a dict from keys of the scenario to values, or to texts such as "0..1/101" (their product is run); sample: from keys to
    laws such as "normal(0.8, 0.02)"; count, design ("random", "sobol", "latin") and seed of samples; observe: quantities such as
    "impact.3.x", or "every impact: x, vx"; then the frame has a row an impact. threads: as many as there are processors. A run lasts as
    `solver.duration` says, 10 s where nothing does. The force is none of Python's, which threads would wait for. kind: of frame, as in
    compare.

    >>> import kugelbahn as kb
    >>> drop = kb.Simulation(ball=kb.Ball.point(1.0), ground=kb.Ground.graph("0"), position=(0, 1))
    >>> frame = kb.sweep(drop, vary={"restitution": [0.5, 0.6]}, observe="impact.1.time")
    >>> len(frame)
    2
    """
