// The elements in a real browser, over a gateway on another origin.
import { chromium, type Browser } from 'playwright-core';
import { microsFromCredits } from 'tollgate';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findBrowser } from '../console/find-browser.ts';
import { startElements, type ElementsWorld } from './elements-world.ts';

const executablePath = findBrowser();

const chat = ({ gateway, key }: ElementsWorld): Promise<Response> =>
  gateway.fetch(
    new Request('http://host/api/v1/ai/chat/completions', {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ messages: [{ role: 'user', content: '[[sandbox: tokens in=1000000]]' }] }),
    }),
  );

test('the elements load where there is no page, and define nothing', async () => {
  const { defineElements } = await import('../../packages/elements/src/index.ts');
  expect(() => defineElements()).not.toThrow();
});

describe.skipIf(executablePath === null)('the elements in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: ['--no-sandbox', '--disable-gpu'] });
  });
  afterAll(() => browser.close());

  test('show the balance and the usage, under a strict policy, with one token for all', async () => {
    const world = await startElements();
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error' && !/Failed to load resource/u.test(message.text()))
        complaints.push(message.text());
    });
    page.on('pageerror', ({ message }) => complaints.push(message));
    await page.goto(world.page);
    await page.getByText('12 345.5').waitFor();
    await page.getByText('Nothing was used yet.').waitFor();
    // The token that the gateway refused, and one in its place.
    expect(world.tokens()).toBe(2);
    expect((await chat(world)).status).toBe(200);
    await page.evaluate('tollgate.changed()');
    const row = page.getByRole('row', { name: /flash-3\.8/u });
    await row.waitFor();
    expect(await row.innerText()).toMatch(/^flash-3\.8\s+1\s+1$/u);
    expect(await page.locator('tollgate-balance').getByRole('status').innerText()).toMatch(/^Credits 12\s344\.5$/u);
    expect(world.tokens()).toBe(2);
    expect(complaints).toEqual([]);
    await page.close();
    await world.close();
  });

  test('buy a pack, wait for the order when the visitor returns, and show the new balance', async () => {
    const world = await startElements();
    const page = await browser.newPage();
    await page.goto(world.page);
    await page.getByText('12 345.5').waitFor();
    await page.getByRole('button', { name: 'Sold out' }).click();
    await page.getByText('The purchase could not begin. Try again.').waitFor();
    await page.getByRole('button', { name: '10 credits' }).click();
    await page.waitForURL(/order=o-1/u);
    await page.getByText('The payment is being confirmed…').waitFor();
    // A call that costs something in the meantime is no purchase.
    await chat(world);
    await page.evaluate('tollgate.changed()');
    expect(await page.title()).toBe('Shop');
    await world.gateway.admin.deposit({
      accountId: world.accountId,
      amountMicros: microsFromCredits('10'),
      reference: 'o-1',
    });
    world.credit();
    await page.getByText('Your credits are here.').waitFor();
    expect(await page.title()).toBe('credited o-1');
    await page.getByText('12 354.5').waitFor();
    await page.close();
    await world.close();
  });

  test('say that they cannot show anything when the gateway refuses', async () => {
    const world = await startElements();
    const { admin } = world.gateway;
    await admin.setAccountStatus(world.accountId, 'blocked');
    const page = await browser.newPage();
    await page.goto(world.page);
    await page.locator('tollgate-balance').getByText('Not available now.').waitFor();
    await admin.setAccountStatus(world.accountId, 'active');
    await page.evaluate('tollgate.changed()');
    await page.getByText('12 345.5').waitFor();
    expect(await page.getByText('Not available now.').count()).toBe(0);
    await page.close();
    await world.close();
  });
});
