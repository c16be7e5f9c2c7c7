// The program of the guide on elements (docs/snippets/elements/page.ts) in a real browser.
import { chromium } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { findBrowser } from '../console/find-browser.ts';
import { startElements } from '../elements/elements-world.ts';

const executablePath = findBrowser();

test.skipIf(executablePath === null)('the page of the guide shows the balance and sells a pack', async () => {
  const world = await startElements({ isShown: true });
  const browser = await chromium.launch({
    executablePath: executablePath ?? '',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  onTestFinished(async () => {
    await browser.close();
    await world.close();
  });
  const page = await browser.newPage();
  await page.goto(world.page);
  await page.getByText('12 345.5').waitFor();
  await page.getByText('Nothing was used yet.').waitFor();
  await page.getByRole('button', { name: '1 000 credits for 10 €' }).click();
  await page.waitForURL(/order=o-1/u);
  world.credit();
  await page.getByText('Your credits are here.').waitFor();
  expect(await page.getByRole('button').count()).toBe(2);
});
