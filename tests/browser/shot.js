// Pictures of a page: node shot.mjs PAGE.html PICTURE.png [TIME [ZOOM]]
import { chromium } from 'playwright-core';
const [file, out, time = '0', zoom = '1', width = '1280', height = '900', full] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
const page = await browser.newPage({ viewport: { width: +width, height: +height } });
page.on('console', (m) => console.log('console', m.type(), m.text()));
page.on('pageerror', (e) => console.log('error', e.message));
page.on('request', (r) => console.log('request', r.url().slice(0, 80)));
await page.goto(`file://${file}`);
await page.waitForFunction(() => window.kugelbahn || !document.getElementById('trouble').hidden, null, { timeout: 8000 });
await page.evaluate(([t, z]) => { const k = window.kugelbahn; if (!k) return; k.player.go(t); if (z !== 1) { const s = k.motions[0].at(t); k.camera.x = s.x; k.camera.y = s.y; k.camera.scale *= z; k.draw(t);} }, [Number(time), Number(zoom)]);
await page.waitForTimeout(200);
await page.screenshot({ path: out, fullPage: !!full });
console.log(await page.evaluate(() => document.getElementById('trouble').textContent));
await browser.close();
