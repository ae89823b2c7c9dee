"""Exudyn: mass point; flat ground by `ObjectContactCoordinate` with impact model 2, which its documentation calls the more
accurate one for restitution; bowl by a distance constraint; rolling and take-off as a sphere in or on a sphere."""

import math

try:
    import exudyn
    import numpy
    from exudyn.itemInterface import (
        LoadMassProportional,
        LoadForceVector,
        MarkerBodyMass,
        MarkerBodyPosition,
        MarkerBodyRigid,
        MarkerNodeCoordinate,
        MassPoint2D,
        NodeGenericData,
        NodePoint2D,
        NodePointGround,
        NodeRigidBody2D,
        ObjectContactCoordinate,
        ObjectContactSphereSphere,
        ObjectConnectorDistance,
        ObjectGround,
        RigidBody2D,
        SensorNode,
    )
except ImportError as error:
    print(f"missing\t{error}")
    raise SystemExit from None

from serve import GRAVITY, seconds, serve

# N/m for 1 kg: 8 mm deep at 8 m/s. At 1e7 its solver gives up at the first contact.
STIFFNESS = 1e6
# Of contacts that last, N s/m: half of critical. Without it they are 60 times less accurate.
DAMPING = 1e3
# Of the ball on a sphere, m; its centre keeps 1 m from the middle.
RADIUS = 0.1


def body(position, velocity):
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(
        NodePoint2D(referenceCoordinates=[0, 0], initialCoordinates=position, initialVelocities=velocity)
    )
    point = system.AddObject(MassPoint2D(mass=1.0, nodeNumber=node))
    marker = system.AddMarker(MarkerBodyMass(bodyNumber=point))
    system.AddLoad(LoadMassProportional(markerNumber=marker, loadVector=[0, -GRAVITY, 0]))
    return container, system, node, point


def ready(container, system, node, step, duration, kind):
    output = exudyn.OutputVariableType.Position
    sensor = system.AddSensor(SensorNode(nodeNumber=node, outputVariableType=output, storeInternal=True))
    system.Assemble()
    settings = exudyn.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = step
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime = round(duration / step), duration
    integration.verboseMode = 0
    settings.displayStatistics = settings.displayComputationTime = False
    integration.newton.useModifiedNewton = False
    integration.generalizedAlpha.spectralRadius = 1.0
    # As in its contactCoordinateTest.py.
    integration.minimumStepSize = 1e-10
    integration.discontinuous.iterationTolerance = 1e-3
    integration.discontinuous.maxIterations = 2
    integration.discontinuous.ignoreMaxIterations = False
    integration.adaptiveStepRecoverySteps, integration.adaptiveStepIncrease = 0, 10
    wanted = seconds(duration)

    def solve():
        system.SolveDynamic(settings, solverType=kind)
        rows = system.GetSensorStoredData(sensor)
        # Its steps are cut at contacts and do not stand at whole seconds afterwards; g h²/8 is small beside other errors.
        places = [[numpy.interp(second, rows[:, 0], rows[:, i]) for i in (1, 2)] for second in wanted]
        return places, "to the end"

    solve.parts = container
    return solve


def throw(task, method, step, duration):
    if task.height:
        raise ValueError("no contact with a curve given by a formula")
    container, system, node, point = body(task.start[:2], task.start[2:])
    ground = system.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
    data = system.AddNode(NodeGenericData(initialCoordinates=[1, 0], numberOfDataCoordinates=2))
    markers = [
        system.AddMarker(MarkerNodeCoordinate(nodeNumber=ground, coordinate=1)),
        system.AddMarker(MarkerNodeCoordinate(nodeNumber=node, coordinate=1)),
    ]
    system.AddObject(
        ObjectContactCoordinate(
            markerNumbers=markers,
            nodeNumber=data,
            contactStiffness=STIFFNESS,
            restitutionCoefficient=task.e,
            impactModel=2,
            offset=0.0,
        )
    )
    if task.drag:
        marker = system.AddMarker(MarkerBodyPosition(bodyNumber=point, localPosition=[0, 0, 0]))

        def drag(system, time, load):
            vx, vy = system.GetNodeOutput(node, exudyn.OutputVariableType.Velocity)[:2]
            brake = task.drag * math.hypot(vx, vy)
            return [-brake * vx, -brake * vy, 0]

        system.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0, 0, 0], loadVectorUserFunction=drag))
    return ready(container, system, node, step, duration, exudyn.DynamicSolverType.TrapezoidalIndex2)


def rounded(position, velocity, inner, friction, inertia, step, duration):
    """A ball inside a hollow sphere or on a sphere; friction is regularised below 1 mm/s, its default."""
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[*position, 0], initialVelocities=[*velocity, 0]))
    ball = system.AddObject(RigidBody2D(mass=1.0, inertia=inertia * RADIUS**2, nodeNumber=node))
    weighed = system.AddMarker(MarkerBodyMass(bodyNumber=ball))
    system.AddLoad(LoadMassProportional(markerNumber=weighed, loadVector=[0, -GRAVITY, 0]))
    ground = system.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    system.AddObject(
        ObjectContactSphereSphere(
            markerNumbers=[system.AddMarker(MarkerBodyRigid(bodyNumber=body)) for body in (ball, ground)],
            nodeNumber=system.AddNode(NodeGenericData(initialCoordinates=[0] * 4, numberOfDataCoordinates=4)),
            spheresRadii=[RADIUS, 1 + RADIUS if inner else 1 - RADIUS],
            isHollowSphere1=inner,
            dynamicFriction=friction,
            contactStiffness=STIFFNESS,
            contactDamping=DAMPING,
        )
    )
    return ready(container, system, node, step, duration, exudyn.DynamicSolverType.TrapezoidalIndex2)


def crest(task, method, step, duration):
    return rounded([0.0, 1.0], [task.speed, 0.0], False, 0.0, 0.4, step, duration)


def bowl(task, method, step, duration):
    if task.factor:
        return rounded(task.place(task.release), [0.0, 0.0], True, 100.0, task.factor, step, duration)
    container, system, node, point = body(task.place(task.release), [0, 0])
    ground = system.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
    markers = [
        system.AddMarker(MarkerBodyPosition(bodyNumber=ground, localPosition=[0, 0, 0])),
        system.AddMarker(MarkerBodyPosition(bodyNumber=point, localPosition=[0, 0, 0])),
    ]
    system.AddObject(ObjectConnectorDistance(markerNumbers=markers, distance=1.0))
    return ready(container, system, node, step, duration, exudyn.DynamicSolverType.TrapezoidalIndex2)


serve(f"Exudyn {exudyn.__version__}", {"throw": throw, "bowl": bowl, "crest": crest})
