"""Exudyn: a ball in a plane with penalty contacts: flat ground by `ObjectContactCoordinate` with impact model 2, which its documentation calls the more
accurate one for restitution; bowl and hill as a sphere in or on a sphere.

    pip install exudyn; python3 run.py [CASES [OUT]]     writes answers.csv and about.toml beside this file, or below OUT

Stiffness 1e6 N/m for 1 kg (at 1e7 its solver gives up at the first contact), half of critical damping where contact lasts.
"""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1]))
import entry
import exudyn
import numpy
import stepped
from exudyn.itemInterface import LoadForceVector, LoadMassProportional, MarkerBodyMass, MarkerBodyPosition, MarkerBodyRigid, MarkerNodeCoordinate, NodeGenericData, NodePointGround, NodeRigidBody2D, ObjectContactCoordinate, ObjectContactSphereSphere, ObjectGround, RigidBody2D, SensorNode

STIFFNESS, DAMPING = 1e6, 1e3


def system_of(task):
    container = exudyn.SystemContainer()
    system = container.AddSystem()
    x, y, vx, vy, spin = task.balls[0]
    node = system.AddNode(NodeRigidBody2D(referenceCoordinates=[0, 0, 0], initialCoordinates=[x, y, 0], initialVelocities=[vx, vy, spin]))
    ball = system.AddObject(RigidBody2D(mass=task.mass, inertia=0.4 * task.mass * task.radius**2, nodeNumber=node))
    weighed = system.AddMarker(MarkerBodyMass(bodyNumber=ball))
    system.AddLoad(LoadMassProportional(markerNumber=weighed, loadVector=[0, -task.g, 0]))
    if task.ground["kind"] == "arc":
        ground = system.AddObject(ObjectGround(referencePosition=[0, 0, 0]))
        inner = task.ground["from"] < 0
        markers = [system.AddMarker(MarkerBodyRigid(bodyNumber=body)) for body in (ball, ground)]
        data = system.AddNode(NodeGenericData(initialCoordinates=[0] * 4, numberOfDataCoordinates=4))
        radii = [task.radius, task.ground["radius"]]
        contact = {"dynamicFriction": min(task.mu, 100.0), "contactStiffness": STIFFNESS, "contactDamping": DAMPING}
        system.AddObject(ObjectContactSphereSphere(markerNumbers=markers, nodeNumber=data, spheresRadii=radii, isHollowSphere1=inner, **contact))
    else:
        ground = system.AddNode(NodePointGround(referenceCoordinates=[0, 0, 0]))
        data = system.AddNode(NodeGenericData(initialCoordinates=[1, 0], numberOfDataCoordinates=2))
        markers = [system.AddMarker(MarkerNodeCoordinate(nodeNumber=of, coordinate=1)) for of in (ground, node)]
        system.AddObject(ObjectContactCoordinate(markerNumbers=markers, nodeNumber=data, contactStiffness=STIFFNESS, restitutionCoefficient=task.e, impactModel=2, offset=task.radius + task.ground["y"]))
    if task.drag:
        marker = system.AddMarker(MarkerBodyPosition(bodyNumber=ball, localPosition=[0, 0, 0]))

        def drag(system, time, load):
            u, v = system.GetNodeOutput(node, exudyn.OutputVariableType.Velocity)[:2]
            brake = task.drag * numpy.hypot(u, v)
            return [-brake * u, -brake * v, 0]

        system.AddLoad(LoadForceVector(markerNumber=marker, loadVector=[0, 0, 0], loadVectorUserFunction=drag))
    return container, system, node


def answer(task, setting):
    if task.number not in ("1", "2", "6", "7", "8", "9"):
        return None
    step = float(setting.split()[0])
    task = stepped.prepared(task)
    container, system, node = system_of(task)
    sensors = [system.AddSensor(SensorNode(nodeNumber=node, outputVariableType=kind, storeInternal=True)) for kind in (exudyn.OutputVariableType.Coordinates, exudyn.OutputVariableType.Coordinates_t)]
    system.Assemble()
    end = max([*task.times.values(), *task.until.values()])
    settings = exudyn.SimulationSettings()
    settings.solutionSettings.writeSolutionToFile = False
    settings.solutionSettings.sensorsWritePeriod = step
    settings.displayStatistics = settings.displayComputationTime = False
    integration = settings.timeIntegration
    integration.numberOfSteps, integration.endTime, integration.verboseMode = round(end / step) + 2, (round(end / step) + 2) * step, 0
    integration.newton.useModifiedNewton = False
    integration.generalizedAlpha.spectralRadius = 1.0
    # As in its contactCoordinateTest.py.
    integration.minimumStepSize = 1e-10
    integration.discontinuous.iterationTolerance, integration.discontinuous.maxIterations, integration.discontinuous.ignoreMaxIterations = 1e-3, 2, False
    integration.adaptiveStepRecoverySteps, integration.adaptiveStepIncrease = 0, 10
    try:
        system.SolveDynamic(settings, solverType=exudyn.DynamicSolverType.TrapezoidalIndex2)
    except ValueError as error:
        print(error)
    places, speeds = (numpy.asarray(system.GetSensorStoredData(sensor)) for sensor in sensors)
    rows = ((row[0], [(row[1], row[2], fast[1], fast[2], fast[3])], task.gap(row[0], row[1], row[2]) <= 0) for row, fast in zip(places, speeds))
    return stepped.follow(task, rows, step)


entry.write(__file__, "Exudyn", exudyn.__version__, "penalty contacts, 1e6 N/m; TrapezoidalIndex2", ["1e-3 s", "2e-4 s"], answer)
