import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Answered } from './page/voice-client.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** A browser of this machine, or null where there is none. `CHROMIUM` names one elsewhere, or says `none`. */
export const findBrowser = (): string | null =>
  (process.env['CHROMIUM'] === undefined ? places : [process.env['CHROMIUM']]).find(
    (place) => place !== undefined && existsSync(place),
  ) ?? null;

/** Presses the button of the page in a real browser, and reads what the page shows. */
export const talkInBrowser = async (executablePath: string, origin: string): Promise<Answered> => {
  const args = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required'];
  const browser = await chromium.launch({ executablePath, args });
  try {
    const page = await browser.newPage();
    const faults: string[] = [];
    page.on('pageerror', ({ message }) => faults.push(message));
    await page.goto(origin);
    await page.click('#talk');
    await page.waitForFunction('/answered|failed/.test(document.querySelector("#state").textContent)');
    const read = async (id: string): Promise<string> => (await page.textContent(`#${id}`)) ?? '';
    if ((await read('state')) !== 'answered' || faults.length > 0)
      throw new Error(`the page ${await read('state')}: ${faults.join(', ')}`);
    return { transcript: await read('answer'), spokenMs: Number(await read('spoken')) };
  } finally {
    await browser.close();
  }
};
