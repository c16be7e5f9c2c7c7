import { existsSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Visitor } from './visitor.ts';

const places = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];
const waitMsMax = 20_000;

/** A browser of this machine, or null where there is none. `CHROMIUM` names one elsewhere, or says `none`. */
export const findBrowser = (): string | null =>
  (process.env['CHROMIUM'] === undefined ? places : [process.env['CHROMIUM']]).find((place) => existsSync(place)) ??
  null;

/** A user with a real browser. */
export const browserVisitor = async (executablePath: string, origin: string): Promise<Visitor> => {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  page.setDefaultTimeout(waitMsMax);
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const enter = async (way: 'Sign up' | 'Sign in', email: string, password: string): Promise<void> => {
    await page.goto(origin);
    await page.getByLabel('E-mail').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: way }).click();
    await page.locator('#email', { hasText: email }).waitFor();
  };
  return {
    signUp: (email, password) => enter('Sign up', email, password),
    signIn: (email, password) => enter('Sign in', email, password),
    buy: async (pack) => {
      await page.getByLabel('Buy 10 credits again').check();
      await page
        .getByRole('button', { name: pack === 'small' ? '10 credits for $10' : '110 credits for $100', exact: true })
        .click();
      await page.getByRole('button', { name: 'Pay' }).click();
      await page.getByText('Your credits are here.').waitFor();
    },
    createKey: async (name) => {
      await page.getByLabel('Name of a new key').fill(name);
      await page.getByRole('button', { name: 'Create' }).click();
      await page.locator('#keys li', { hasText: name }).waitFor();
      return (await page.locator('#key').textContent()) ?? '';
    },
    ask: async (question) => {
      await page.goto(origin);
      await page.getByLabel('Question').fill(question);
      await page.getByRole('button', { name: 'Ask' }).click();
      await page.locator('#answer:not(:empty)').waitFor();
      return (await page.locator('#answer').textContent()) ?? '';
    },
    readBalance: async () => {
      await page.goto(origin);
      return (await page.locator('tollgate-balance .amount').textContent()) ?? '';
    },
    readStatement: async () => {
      const download = page.waitForEvent('download');
      await page.getByRole('link', { name: 'Statement' }).click();
      const file = await (await download).createReadStream();
      return Buffer.concat(await file.toArray()).toString('utf8');
    },
    seeInConsole: async (text) => {
      await page.goto(`${origin}/console/`);
      await page.getByText(text).first().waitFor();
    },
    signOut: async () => {
      await page.goto(origin);
      await page.getByRole('button', { name: 'Sign out' }).click();
      await page.getByRole('button', { name: 'Sign up' }).waitFor();
    },
    faults,
    close: () => browser.close(),
  };
};
