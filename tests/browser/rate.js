// Pictures a second while a page plays, beside a page that only asks for pictures: node rate.js PAGE.html …
import { chromium, close, open } from './browser.js';

const browser = await chromium();
for (const place of process.argv.slice(2)) {
  const { page } = await open(browser, place);
  const floor = await page.evaluate(() => new Promise((done) => {
    const times = [];
    const frame = (now) => (times.push(now) < 120 ? requestAnimationFrame(frame) : done((119e3) / (now - times[0])));
    requestAnimationFrame(frame);
  }));
  const played = await page.evaluate(async () => {
    const { player } = window.kugelbahn;
    player.speed = player.end / 4;
    const work = [];
    const show = player.show;
    player.show = (time) => { const from = performance.now(); show(time); work.push(performance.now() - from); };
    player.play(true);
    await new Promise((done) => { setTimeout(done, 3000); });
    const frames = player.frames;
    return { rate: (1000 * (frames.length - 1)) / (frames.at(-1) - frames[0]), work: work.sort((a, b) => a - b)[Math.floor(work.length / 2)], rows: window.kugelbahn.motions[0].count };
  });
  console.log(`${place}: ${played.rate.toFixed(1)} pictures a second (${floor.toFixed(1)} with nothing to draw), ${played.work.toFixed(2)} ms of work each, ${played.rows} pieces or rows`);
  await page.close();
}
await close(browser);
