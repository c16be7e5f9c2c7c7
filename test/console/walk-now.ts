import { chromium } from 'playwright-core';
import { startConsole } from './console-world.ts';
import { walkConsole } from './walk-console.ts';
const world = await startConsole();
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox','--disable-gpu','--disable-background-networking'] });
const [w,h,scheme] = [Number(process.argv[2] ?? 1280), Number(process.argv[3] ?? 800), process.argv[4] ?? 'light'];
const ctx = await browser.newContext({ viewport: { width: w, height: h }, colorScheme: scheme as never });
const page = await ctx.newPage();
page.setDefaultTimeout(15000);
page.on('console', (m) => { if (m.type() === 'error') console.log('CONSOLE', m.text(), m.location().url); });
page.on('pageerror', (e) => console.log('PAGEERROR', e.message));
page.on('response', (r) => { if (r.status() >= 400) void r.text().then((t) => console.log(r.status(), r.request().method(), r.url(), t.slice(0, 300))); });
let n = 0;
try { await walkConsole({ page, world, atStep: async (name, p) => { n += 1; await p.screenshot({ path: `/work/tmp/shots/${scheme}-${w}-${String(n).padStart(2, '0')}-${name}.png`, fullPage: true }); } }); console.log('walked', n); }
catch (e) { console.log(String(e).slice(0, 1500)); await page.screenshot({ path: '/work/tmp/shots/failed.png', fullPage: true }); }
await browser.close(); await world.close();
