"""Balls in a box by pymunk: `src/bin/heaps.rs` starts it with a file of the start, and reads two times and the states."""

import sys
import time

import pymunk

with open(sys.argv[1], encoding="utf-8") as file:
    first, walls, *balls = file.read().splitlines()
iterations, slop, step, friction, gravity, fall, rest, every = first.split()
space = pymunk.Space()
space.gravity = (0.0, -float(gravity))
space.iterations = int(float(iterations))
space.collision_slop = float(slop)
numbers = [float(number) for number in walls.split()]
corners = list(zip(numbers[::2], numbers[1::2]))
THICK = 0.1
for (x0, y0), (x1, y1) in zip(corners, corners[1:]):
    length = ((x1 - x0) ** 2 + (y1 - y0) ** 2) ** 0.5
    dx, dy = THICK * (y1 - y0) / length, -THICK * (x1 - x0) / length
    wall = pymunk.Segment(space.static_body, (x0 + dx, y0 + dy), (x1 + dx, y1 + dy), THICK)
    # Of two surfaces it takes the product.
    wall.friction = float(friction) ** 0.5
    space.add(wall)
bodies = []
for line in balls:
    mass, radius, x, y, vx, vy = map(float, line.split())
    body = pymunk.Body(mass, 0.4 * mass * radius * radius)
    body.position, body.velocity = (x, y), (vx, vy)
    shape = pymunk.Circle(body, radius)
    shape.friction = float(friction) ** 0.5
    space.add(body, shape)
    bodies.append(body)
times, pictures = [0.0, 0.0], []
for k in range((int(fall) + int(rest)) // int(every)):
    begin = time.process_time()
    for _ in range(int(every)):
        space.step(float(step))
    times[k >= int(fall) // int(every)] += time.process_time() - begin
    pictures.append([(*body.position, *body.velocity, body.angular_velocity) for body in bodies])
print(*times)
for picture in pictures:
    for ball in picture:
        print(*ball)
