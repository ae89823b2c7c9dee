//! x
use crate::harness::attempt;
#[test]
fn storm() {
    let a = r#"
        ball = { mass = 0.37471483675005895, radius = 0.0, inertia = 0.9951340791780704 }
        initial = { position = [-1.0393700787308868, 1.7275247206258597], velocity = [-0.571116024730127, 0.5662383844726702], spin = -45.841774337926495 }
        ground = { curve = { kind = "graph", y = "0.05852471081890568*sin(0.8701910809569814*x) + 0.04208822187193367*x" } }
        contact = { restitution = 0.0, tangential-restitution = -0.8972638555374922, friction = 0.11359174233369378, rolling-damping = 0.3353560831462289 }
        [forces]
        drag = { coefficient = 0.0 }
        wind = [-0.1746723864708523, 0.1]
        magnus = -0.009981205743770384
        external = { x = "0.5962651335330678*m*sin(2*t)", y = "0.1*0.5962651335330678*x - 0.05*vy" }
    "#;
    let b = r#"
        ball = { mass = 0.6539150035007968, radius = 0.16330643649800317, inertia = 0.8361341048452394 }
        initial = { position = [1.3475546845179769, 1.556508727449638], velocity = [-2.6865596292498033, -0.7842200655737146], spin = 19.329775055316052 }
        ground = { curve = { kind = "graph", y = "0.11729943183556577*sin(2.4467373387322255*x) + 0.18913622024369178*x" } }
        contact = { restitution = 0.0, tangential-restitution = 0.666005742323733, friction = 0.7306905777425188, rolling-damping = 0.11359448788917097 }
        [forces]
        drag = { coefficient = 0.0 }
        wind = [1.2082591797932178, 0.1]
        magnus = 0.008423857848327509
        external = { x = "0.09057416248650325*m*sin(2*t)", y = "0.1*0.09057416248650325*x - 0.05*vy" }
    "#;
    for text in [a, b] {
        let run = attempt(text, &["solver.tolerance=1e-12", "solver.duration=3"]);
        println!("{:?}", run.summary.stop);
        for e in run.events.iter().take(8) {
            println!("{} {} {:?}->{:?} v {:?} -> {:?} spin {} {}", e.kind.name(), e.time(), e.phase_before, e.phase_after, e.velocity_before(), e.velocity_after(), e.before.spin, e.after.spin);
        }
    }
}
