// Many changes in `kugelbahn live`, and what they leave in memory: node soak.js [CHANGES]
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { chromium, close, open, PROGRAM, REPOSITORY } from './browser.js';

const changes = Number(process.argv[2] ?? 10_000);
const server = spawn(PROGRAM, ['live', 'experiments/src/bin/over_the_hills/scenario.toml'], { cwd: REPOSITORY });
const link = await new Promise((done) => { server.stdout.once('data', (text) => done(String(text).split('\n')[0])); });
const browser = await chromium();
const { page } = await open(browser, link);
const session = await page.context().newCDPSession(page);
// Processor time does not depend on what else the machine does, ms.
await session.send('Performance.enable', { timeDomain: 'threadTicks' });
let [engine, main] = [0, 0];
const memory = async () => {
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const [, kilobytes] = /VmRSS:\s*(\d+)/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8')) ?? [];
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
  const { metrics } = await session.send('Performance.getMetrics');
  engine = 10 * (Number(fields[11]) + Number(fields[12]));
  main = 1000 * (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0);
  return `page ${(usedSize / 1e6).toFixed(1)} MB, engine ${(Number(kilobytes) / 1e3).toFixed(1)} MB`;
};
await memory();
for (let done = 0; done <= changes; done += changes / 5) {
  const before = [engine, main];
  if (done > 0) {
    await page.evaluate(async (count) => {
      const slider = document.querySelector('input[type="range"][data-key="contact.restitution"]');
      for (let i = 0; i < count; i++) {
        slider.value = String(100 + ((i * 7) % 890));
        slider.dispatchEvent(new Event('input'));
        while (window.live.busy) await new Promise((next) => { setTimeout(next, 0); });
      }
    }, changes / 5);
  }
  const times = await page.evaluate(() => [...window.live.times].sort((a, b) => a - b));
  const at = (part) => (times[Math.floor(times.length * part)] ?? 0).toFixed(1);
  const now = await memory();
  const each = done > 0 ? `; a change: ${[engine - before[0], main - before[1]].map((time) => (time / (changes / 5)).toFixed(1)).join(' ms of the engine, ')} ms of the page` : '';
  console.log(`${done} changes: ${now}; answered in ${at(0.5)} ms (median), ${at(0.95)} ms (p95)${each}`);
}
server.kill();
await close(browser);
