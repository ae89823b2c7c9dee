// The engine of the page against the program: numbers to the last bit, answers to the byte, and what it withstands.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { unlzma } from '../crates/report/page/compiled.js';

const repository = join(dirname(fileURLToPath(import.meta.url)), '..');
const target = process.env.CARGO_TARGET_DIR ?? join(repository, 'target');
const program = process.env.KUGELBAHN ?? join(target, 'debug/kugelbahn');
const compiled = new WebAssembly.Module(unlzma(readFileSync(join(target, 'web/engine.wasm.lzma'))));

/** The engine as the page's thread holds it, but that it is asked without one. */
class Engine {
  constructor(gallery = []) {
    this.ends = () => 0;
    const worker = { ends: (...told) => this.ends(...told) };
    this.exports = new WebAssembly.Instance(compiled, { worker }).exports;
    this.put(JSON.stringify(gallery));
    assert.equal(this.exports.open(), 0);
  }

  put(text) {
    const bytes = Buffer.from(text);
    const at = this.exports.input(bytes.length);
    new Uint8Array(this.exports.memory.buffer, at, bytes.length).set(bytes);
  }

  ask(kind, wish) {
    this.put(typeof wish === 'string' ? wish : JSON.stringify(wish));
    const refused = this.exports[kind]() !== 0;
    const answer = Buffer.from(this.exports.memory.buffer, this.exports.output(), this.exports.output_length());
    return { refused, answer: Buffer.from(answer) };
  }

  /** The document of a run. */
  document(wish) {
    const { refused, answer } = this.ask('data', wish);
    if (refused) throw new Error(String(answer));
    return JSON.parse(answer.subarray(4, 4 + answer.readUInt32LE(0)));
  }

  get pages() {
    return this.exports.memory.buffer.byteLength >> 16;
  }
}

const files = ['scenarios', 'experiments/src/bin'].flatMap((folder) => readdirSync(join(repository, folder)).map((name) => join(folder, name)))
  .map((file) => (file.endsWith('.toml') ? file : join(file, 'scenario.toml')))
  .filter((file) => existsSync(join(repository, file)));
const text = (file) => readFileSync(join(repository, file), 'utf8').replaceAll(/"[./]*\/curves\/([\w-]+)\.toml"/g, '"$1"');
const HILLS = text('experiments/src/bin/over_the_hills/scenario.toml');

/** Rows of a table that the program wrote, without quotes in it. */
const rows = (file) => readFileSync(file, 'utf8').trim().split('\n').map((line) => line.split(','));
/** Whether a cell says what a value of the page does: numbers in their shortest form are equal if their bits are. */
const says = (cell, value) => (typeof value === 'number' ? cell !== '' && Object.is(Number(cell) + 0, value + 0) : cell === (value ?? ''));

test('events of every scenario are those of the program, to the bit', () => {
  const engine = new Engine();
  const slow = [];
  let count = 0;
  for (const file of files) {
    const out = mkdtempSync(join(tmpdir(), 'web-'));
    const begun = performance.now();
    const ran = (...limit) => spawnSync(program, ['run', file, '--out', out, ...limit], { cwd: repository, timeout: 120_000 });
    const bounded = ran('--set', 'solver.limit=50000');
    // Where so few steps are too few for the scenario's own, all of it is run.
    const { status, stderr } = bounded.status === 2 ? ran() : bounded;
    const native = performance.now() - begun;
    assert.ok(status === 0 || status === 1, `${file}: ${stderr}`);
    const [head, ...table] = rows(join(out, 'events.csv'));
    const asked = performance.now();
    const { page } = engine.document({ text: text(file), changes: [] });
    slow.push([file, native, performance.now() - asked]);
    assert.deepEqual(page.columns, head, file);
    // A page keeps the first ones, and bounds time stepping by all its balls.
    const both = Math.min(page.events.length, table.length);
    assert.ok(both === table.length || both === 10_000 || page.live.late, `${file}: ${page.events.length} of ${table.length} events`);
    for (const [i, row] of page.events.slice(0, both).entries()) {
      const wrong = row.findIndex((value, k) => !says(table[i][k], value));
      assert.equal(wrong, -1, `${file}, event ${i}, ${head[wrong]}: ${table[i][wrong]} and ${row[wrong]}`);
    }
    count += both;
  }
  console.log(`${files.length} scenarios, ${count} events equal`);
  for (const [file, native, here] of slow.sort((a, b) => b[1] - a[1]).slice(0, 6)) console.log(`${file}: program ${native.toFixed(0)} ms with its files, engine ${here.toFixed(0)} ms`);
});

test('answers are those of `live`, to the byte', async () => {
  const file = 'experiments/src/bin/over_the_hills/scenario.toml';
  const server = spawn(program, ['live', file], { cwd: repository });
  try {
    const link = new URL(await new Promise((done) => server.stdout.once('data', (told) => done(String(told).split('\n')[0]))));
    const asked = async (wish) => Buffer.from(await (await fetch(`${link.origin}/run`, { method: 'POST', headers: { 'X-Token': link.searchParams.get('token') }, body: JSON.stringify(wish) })).arrayBuffer());
    const first = await asked({ scenario: 0, changes: [] });
    const { names } = JSON.parse(first.subarray(4, 4 + first.readUInt32LE(0))).page.live;
    const engine = new Engine(names.map((entry) => ({ ...entry, toml: text(entry.file.replace(/^.*\/(scenarios|experiments)\//, '$1/')) })));
    // Of each kind of run one: events of all scenarios are compared above.
    const kinds = ['over_the_hills/scenario.toml', 'marbles.toml', 'cradle.toml', 'lift.toml', 'shaken_table/scenario.toml', 'falling_through/scenario.toml'];
    const wishes = kinds.map((end) => ({ scenario: names.findIndex((entry) => entry.file.endsWith(end)), changes: [] }));
    assert.ok(wishes.every(({ scenario }) => scenario >= 0));
    wishes.push({ scenario: 0, changes: [['contact.restitution', 0.7], ['initial.position.x', 0.25]] }, { scenario: 0, changes: [['no', 1]] }, { text: 'title = 1', changes: [] });
    const times = [];
    for (const wish of wishes) {
      const begun = performance.now();
      const there = await asked(wish);
      const turn = performance.now();
      const here = engine.ask('data', wish).answer;
      times.push([names[wish.scenario]?.file ?? '', turn - begun, performance.now() - turn]);
      // Runs that either bounds by its own time are not compared.
      if (here.includes('s of computing') || there.includes('s of computing')) continue;
      assert.ok(there.equals(here), `${names[wish.scenario]?.file} ${JSON.stringify(wish)}: ${there.length} and ${here.length} bytes`);
    }
    for (const [name, there, here] of times) console.log(`${name}: live ${there.toFixed(0)} ms, engine ${here.toFixed(0)} ms`);
  } finally {
    server.kill();
  }
});

test('10⁴ changes take no more memory than some hundreds', () => {
  const engine = new Engine([{ title: 'drop', file: 'bounce.toml', toml: text('scenarios/bounce.toml') }]);
  const change = (i) => engine.ask('data', { scenario: 0, changes: [['contact.restitution', 0.3 + 0.6 * ((i * 0.618) % 1)], ['solver.duration', 0.5]] });
  for (let i = 0; i < 500; i++) change(i);
  const before = engine.pages;
  for (let i = 0; i < 10_000; i++) change(i);
  assert.equal(engine.pages, before);
});

test('what means no good is refused, or ended, and the next run is as ever', () => {
  const engine = new Engine([{ title: 'hills', file: 'hills.toml', toml: HILLS }]);
  const whole = engine.ask('data', { scenario: 0, changes: [] }).answer;
  const long = `title = "${'a'.repeat(1 << 20)}"\n${HILLS.replace(/^title.*\n/, '')}`;
  for (const wish of ['', '{', '[]', '{"scenario":9,"changes":[]}', { text: '', changes: [] }, { text: '\u0000'.repeat(99), changes: [] },
    { text: '['.repeat(100_000), changes: [] }, { text: `x = ${'{a='.repeat(20_000)}`, changes: [] },
    { text: '[initial]\nposition=[0,1]\n[ground]\ncurve="/etc/passwd"', changes: [] },
    { scenario: 0, changes: Array(201).fill(['contact.restitution', 0.5]) }, { scenario: 0, changes: [['contact.restitution', 'x']] }]) {
    const { refused, answer } = engine.ask('data', wish);
    assert.ok(refused && JSON.parse(answer).message.length > 0, JSON.stringify(wish).slice(0, 80));
  }
  assert.equal(engine.document({ text: long, changes: [] }).title.length, 1 << 20);
  const endless = { text: '[initial]\nposition=[0,1]\nvelocity=[1,0]\n[ground]\ncurve="sine"\n[contact]\nrestitution=1.0\n[solver]\nduration=1e7\nlimit=10000000', changes: [] };
  assert.match(engine.document(endless).page.live.late ?? '', /a run ends after 50000 events/);
  let parts = [];
  engine.ends = (part) => { parts.push(part); return Number(parts.length > 3); };
  assert.match(engine.document(endless).page.live.late, /60 s of computing/);
  assert.ok(parts.every((part, i) => part >= 0 && part <= 1 && part >= (parts[i - 1] ?? 0)), String(parts));
  engine.ends = () => 0;
  assert.ok(engine.ask('data', { scenario: 0, changes: [] }).answer.equals(whole));
  assert.ok(engine.pages < 4096, `${engine.pages} pages of 64 kB`);
});
