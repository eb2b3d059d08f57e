// The viewer: lines, bodies and supports in space, which a mouse turns; a slider and a list where there are several
// states. `flexuraView(element, data)` is all that pages call; README.md says how this becomes view.min.js.
import {
  Box3, Color, Mesh, MeshBasicMaterial, OrthographicCamera,
  Scene, SphereGeometry, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";

const DARK = matchMedia("(prefers-color-scheme: dark)").matches;

function line(scene, points, colour, width, dashed) {
  const material = new LineMaterial({ color: new Color(colour), linewidth: width, dashed, dashSize: 0.02, gapSize: 0.02 });
  const made = new Line2(new LineGeometry(), material);
  made.place = (at) => {
    made.geometry.setPositions(at);
    if (dashed) made.computeLineDistances();
  };
  made.frustumCulled = false;
  made.place(points);
  scene.add(made);
  return made;
}

function ball(scene, at, colour, radius) {
  const made = new Mesh(new SphereGeometry(radius, 20, 14), new MeshBasicMaterial({ color: colour }));
  made.place = (point) => made.position.set(...point);
  made.place(at);
  scene.add(made);
  return made;
}

function add(parent, kind, settings = {}) {
  const made = Object.assign(document.createElement(kind), settings);
  parent.append(made);
  return made;
}

// Where a thing is in a state: at rest and displaced, or where a frame says.
function placed(rest, state, kind, index, phase, factor) {
  if (!state) return rest;
  if (state.frames) return state.frames[phase][kind][index];
  const turn = 2 * Math.PI * phase / state.count, real = state.re[kind][index], other = state.im?.[kind][index];
  return rest.map((x, i) => x + factor * (Math.cos(turn) * real[i] - (other ? Math.sin(turn) * other[i] : 0)));
}

window.flexuraView = (element, data) => {
  let renderer;
  try {
    renderer = new WebGLRenderer({ antialias: true, preserveDrawingBuffer: true });
  } catch {
    add(element, "p", { textContent: "This browser draws nothing in three dimensions: it has no WebGL." });
    return;
  }
  renderer.setClearColor(DARK ? "#16181c" : "#ffffff");
  renderer.setPixelRatio(devicePixelRatio);
  const canvas = renderer.domElement;
  element.style.position = "relative";
  element.append(canvas);
  const scene = new Scene(), size = data.size;
  const box = new Box3(new Vector3(...data.box[0]), new Vector3(...data.box[1])), centre = box.getCenter(new Vector3());

  const still = data.states.length ? data.lines.map((one) => line(scene, one.points, "#9a9a9a", 1, true)) : [];
  const lines = data.lines.map((one) => line(scene, one.points, one.colour, one.width, false));
  const arms = data.arms.map((one) => line(scene, one.points, "#8a8a8a", 3, false));
  const bodies = data.bodies.map((one) => ball(scene, one.at, DARK ? "#eeeeee" : "#222222", 0.012 * size));
  for (const one of data.supports) ball(scene, one.at, "#8c6d00", 0.014 * size);
  for (const [i, colour] of ["#b2182b", "#2e7d32", "#1f4e79"].entries()) {
    const corner = box.min.clone().subScalar(0.1 * size);
    const end = corner.clone();
    end.setComponent(i, end.getComponent(i) + 0.12 * size);
    line(scene, [...corner, ...end], colour, 1.5, false);
    data.labels.push({ text: "xyz"[i], at: [...end], of: null });
  }
  const labels = data.labels.map((one) => {
    const text = add(element, "span", { textContent: one.text });
    text.style.cssText = `position: absolute; font: 12px system-ui; pointer-events: none; color: ${DARK ? "#ddd" : "#333"}`;
    return { text, at: new Vector3(...one.at), of: one.of };
  });

  const camera = new OrthographicCamera(-1, 1, 1, -1, -100 * size, 100 * size);
  const from = data.flat ? new Vector3(0, 0, 1) : new Vector3(0.55, -1, 0.6);
  if (!data.flat) camera.up.set(0, 0, 1);
  camera.position.copy(centre).addScaledVector(from.normalize(), 3 * size);
  const controls = new OrbitControls(camera, canvas);
  controls.target.copy(centre);

  let state = 0, phase = 0, playing = data.states.length > 0, factor = data.states[0]?.factor ?? 1;
  function show() {
    const now = data.states[state];
    lines.forEach((one, i) => one.place(placed(data.lines[i].points, now, "lines", i, phase, factor)));
    arms.forEach((one, i) => one.place(placed(data.arms[i].points, now, "arms", i, phase, factor)));
    bodies.forEach((one, i) => one.place(placed(data.bodies[i].at, now, "bodies", i, phase, factor)));
    for (const { at, of } of labels) {
      if (!of) continue;
      const [kind, i] = of, points = placed(data[kind][i].points ?? data[kind][i].at, now, kind, i, phase, factor);
      at.fromArray(points, 3 * Math.floor(points.length / 6));
    }
  }
  function draw() {
    const width = element.clientWidth, height = element.clientHeight - (bar?.offsetHeight ?? 0), half = 0.75 * size;
    if (canvas.clientWidth !== width || canvas.clientHeight !== height) renderer.setSize(width, height);
    const wide = Math.max(1, width / height), tall = Math.max(1, height / width);
    Object.assign(camera, { left: -half * wide, right: half * wide, top: half * tall, bottom: -half * tall });
    camera.updateProjectionMatrix();
    renderer.render(scene, camera);
    for (const { text, at } of labels) {
      const seen = at.clone().project(camera);
      text.style.left = `${(seen.x + 1) / 2 * width + 5}px`;
      text.style.top = `${(1 - seen.y) / 2 * height - 14}px`;
    }
  }

  const bar = data.states.length ? add(element, "div") : null;
  if (bar) {
    bar.style.cssText = "display: flex; gap: 0.8em; align-items: center; font: 14px system-ui; padding: 0.4em";
    const play = add(bar, "button", { textContent: "pause" });
    const which = add(bar, "select", { ariaLabel: "state" });
    for (const one of data.states) add(which, "option", { textContent: one.label });
    const slider = add(bar, "input", { type: "range", min: 0, value: 0, ariaLabel: "picture" });
    slider.style.flex = 1;
    const told = add(bar, "span");
    const grow = add(bar, "input", { type: "range", min: -1, max: 1, step: 0.01, value: 0, ariaLabel: "magnification" });
    const tell = () => {
      const now = data.states[state];
      slider.max = now.count - 1;
      slider.value = phase;
      grow.hidden = !now.re;
      factor = (now.factor ?? 1) * 10 ** +grow.value;
      told.textContent = now.re ? `× ${factor.toPrecision(3)}` : now.labels[phase];
      show();
    };
    play.onclick = () => { playing = !playing; play.textContent = playing ? "pause" : "play"; };
    slider.oninput = () => { playing = false; play.textContent = "play"; phase = +slider.value; tell(); };
    grow.oninput = tell;
    which.onchange = () => { state = which.selectedIndex; phase = 0; tell(); };
    setInterval(() => { if (playing) { phase = (phase + 1) % data.states[state].count; tell(); } }, 40);
    tell();
  }
  (function again() { controls.update(); draw(); requestAnimationFrame(again); })();
};
