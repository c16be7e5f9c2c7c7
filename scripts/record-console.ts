// Walks through the console in a browser and keeps a screenshot of each step, at the width of a desk and of a phone.
// `npm run console:record` writes them to docs/public/console, from where the documentation shows some of them.
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { startConsole } from '../test/console/console-world.ts';
import { findBrowser } from '../test/console/find-browser.ts';
import { walkConsole } from '../test/console/walk-console.ts';

const views = [
  { name: 'desk', width: 1_280, height: 800, colorScheme: 'light' },
  { name: 'phone', width: 375, height: 740, colorScheme: 'dark' },
] as const;

const executablePath = findBrowser();
if (executablePath === null) throw new Error('no Chromium here: set CHROMIUM to its path');
const folder = path.join(import.meta.dirname, '../docs/public/console');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
for (const { name, width, height, colorScheme } of views) {
  const world = await startConsole();
  const context = await browser.newContext({ viewport: { width, height }, colorScheme });
  const page = await context.newPage();
  const steps: string[] = [];
  const atStep = async (step: string): Promise<void> => {
    steps.push(step);
    await page.screenshot({ path: path.join(folder, `${name}-${step}.png`), fullPage: true });
  };
  await walkConsole({ page, world, atStep });
  console.log(`${name}: ${steps.length} steps: ${steps.join(', ')}`);
  await context.close();
  await world.close();
}
await browser.close();
