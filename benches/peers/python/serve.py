"""What the scripts share: a run is asked for in one line, made ready, timed, and answered in one line.

Asked: kind, method, setting, duration, then the numbers of the task. Answered: seconds, how it ended in words, and the
places at whole seconds, separated by tabs.
"""

import math
import sys
import time

GRAVITY = 9.81
# Bounces after which a run is stuck: 332 are left when hops last 1e-15 s.
STUCK = 500


class Throw:
    """A point mass thrown over y = A sin kx (A = 0: flat), drag per mass k_over_m, restitution e along the normal."""

    def __init__(self, numbers):
        self.e, self.drag, self.height, self.wave, *self.start = numbers

    def slope(self, state):
        x, y, vx, vy = state
        brake = self.drag * math.hypot(vx, vy)
        return [vx, vy, -brake * vx, -brake * vy - GRAVITY]

    def gap(self, state):
        return state[1] - self.height * math.sin(self.wave * state[0])

    def bounce(self, state):
        """State after the impact, on the ground."""
        x, _, vx, vy = (float(value) for value in state)
        slope = self.height * self.wave * math.cos(self.wave * x)
        jump = -(1 + self.e) * (vy - slope * vx) / (1 + slope * slope)
        return [x, self.height * math.sin(self.wave * x), vx - slope * jump, vy + jump]


class Bowl:
    """θ'' = -g sin θ/(1 + k) on a path of radius 1 m, from rest."""

    def __init__(self, numbers):
        self.factor, self.release = numbers
        self.rate = GRAVITY / (1 + self.factor)

    @staticmethod
    def place(angle):
        return [math.sin(angle), -math.cos(angle)]


class Crest:
    """θ'' = g sin θ/(1 + k) from the top of a path of radius 1 m, until λ = 0; then flight."""

    def __init__(self, numbers):
        self.factor, self.speed = numbers
        self.rate = GRAVITY / (1 + self.factor)

    @staticmethod
    def force(angle, rate):
        return GRAVITY * math.cos(angle) - rate * rate

    @staticmethod
    def leave(angle, rate):
        return [math.sin(angle), math.cos(angle), rate * math.cos(angle), -rate * math.sin(angle)]


TASKS = {"throw": Throw, "bowl": Bowl, "crest": Crest}


def seconds(duration, after=0.0):
    """Whole seconds later than `after`, up to the end."""
    return [float(second) for second in range(math.floor(after) + 1, math.floor(duration + 1e-9) + 1)]


def serve(version, makers):
    """Answers until the input ends. A maker takes (task, method, setting, duration) and returns the solve."""
    print(f"ready\t{version}", flush=True)
    for line in sys.stdin:
        kind, method, setting, duration, *numbers = line.split()
        task = TASKS[kind]([float(number) for number in numbers])
        begin = time.perf_counter()
        try:
            solve = makers[kind](task, method, float(setting), float(duration))
            begin = time.perf_counter()
            places, words = solve()
        except ValueError as error:
            places, words = [], f"**not run**: {error}"
        except Exception as error:  # Whatever a peer does is an answer.
            places, words = [], f"**stops**: {error}".replace("\n", " ").replace("\t", " ")
        end = time.perf_counter()
        text = "\t".join(f"{float(x)!r}\t{float(y)!r}" for x, y in places)
        print(f"{end - begin!r}\t{words}\t{text}", flush=True)
