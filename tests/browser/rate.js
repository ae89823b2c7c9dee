// Pictures a second while a page plays, and what a picture costs, beside a page that only asks for pictures: node rate.js PAGE.html …
// The rate is of this machine at this time. The work is not: milliseconds of the page's script, and of processor time of all processes of
// the browser, of which the page that draws nothing takes its share.
import { readdirSync, readFileSync } from 'node:fs';
import { chromium, close, open } from './browser.js';

/** Processor time of all descendants of this process, ms. */
function spent() {
  const processes = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((id) => {
    try {
      const fields = readFileSync(`/proc/${id}/stat`, 'utf8').replace(/^.*\) /, '').split(' ');
      return [{ id, parent: fields[1], time: 10 * (Number(fields[11]) + Number(fields[12])) }];
    } catch {
      return [];
    }
  });
  const ours = new Set([String(process.pid)]);
  for (let known = 0; known !== ours.size;) {
    known = ours.size;
    for (const { id, parent } of processes) if (ours.has(parent)) ours.add(id);
  }
  ours.delete(String(process.pid));
  return processes.reduce((sum, { id, time }) => sum + (ours.has(id) ? time : 0), 0);
}

const browser = await chromium();
/** @param {string} place */
async function measure(place) {
  const { page } = await open(browser, place);
  const before = [spent()];
  const floor = await page.evaluate(() => new Promise((done) => {
    const times = [];
    const frame = (now) => (times.push(now) < 120 ? requestAnimationFrame(frame) : done((119e3) / (now - times[0])));
    requestAnimationFrame(frame);
  }));
  before.push(spent());
  const played = await page.evaluate(async () => {
    const { player } = window.kugelbahn;
    player.speed = (player.end - player.begin) / 4;
    const work = [];
    const show = player.show;
    player.show = (time) => { const from = performance.now(); show(time); work.push(performance.now() - from); };
    player.play(true);
    await new Promise((done) => { setTimeout(done, 3000); });
    const { frames } = player;
    return { count: work.length, rate: (1000 * (frames.length - 1)) / (frames.at(-1) - frames[0]), work: work.sort((a, b) => a - b)[Math.floor(work.length / 2)], rows: window.kugelbahn.motions[0].count };
  });
  before.push(spent());
  const [idle, all] = [(before[1] - before[0]) / 120, (before[2] - before[1]) / played.count];
  console.log(`${place}: ${played.rate.toFixed(1)} pictures a second (${floor.toFixed(1)} with nothing to draw); a picture: ${played.work.toFixed(2)} ms of script, ${all.toFixed(1)} ms of the processor (${idle.toFixed(1)} with nothing to draw); ${played.rows} pieces or rows`);
  await page.close();
}
for (const place of process.argv.slice(2)) await measure(place);
await close(browser);
