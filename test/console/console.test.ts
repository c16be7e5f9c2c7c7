// The console in a real browser; where there is none, the suite says what it left out.
import { chromium, type Browser, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operatorCredential, ownerCredentialOf, startConsole } from './console-world.ts';
import { findBrowser } from './find-browser.ts';
import { walkConsole } from './walk-console.ts';

const executablePath = findBrowser();
const flags = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update'];

test.runIf(executablePath === null)('the pages of the console were left out: this machine has no Chromium', () => {
  console.log('no Chromium here (set CHROMIUM to its path): the pages of the console were not tried in a browser');
  expect(executablePath).toBeNull();
});

/** What the browser itself complains of; a refused request is no complaint, as the page shows it. */
const watch = (page: Page): string[] => {
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource/u.test(message.text())) complaints.push(message.text());
  });
  page.on('pageerror', ({ message }) => complaints.push(message));
  return complaints;
};

/** Types right after the field is there, as a quick typist does. */
const signInByKeyboard = async (page: Page): Promise<void> => {
  await page.getByLabel('Credential').waitFor();
  expect(await page.evaluate('document.activeElement.type')).toBe('password');
  await page.keyboard.type(operatorCredential);
  await page.keyboard.press('Enter');
};

/** Notes what has the focus when the first field has come, before the browser draws it. */
const noteFirstFocus = `new MutationObserver(() => {
  if (document.querySelector('input') !== null) globalThis.firstFocus ??= document.activeElement.tagName;
}).observe(document, { childList: true, subtree: true });`;

describe.skipIf(executablePath === null)('the console in a browser', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: executablePath ?? '', args: flags });
  });
  afterAll(() => browser.close());

  test.each([
    { name: 'desk', width: 1_280, height: 800, colorScheme: 'light' },
    { name: 'phone', width: 375, height: 740, colorScheme: 'dark' },
  ] as const)('does all that an operator does, at the width of a $name, in $colorScheme', async (view) => {
    const world = await startConsole();
    const context = await browser.newContext({
      viewport: { width: view.width, height: view.height },
      colorScheme: view.colorScheme,
    });
    const page = await context.newPage();
    const complaints = watch(page);
    const wide: string[] = [];
    const atStep = async (name: string): Promise<void> => {
      const overflow = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
      if (Number(overflow) > 0) wide.push(name);
    };
    await walkConsole({ page, world, atStep });
    expect(complaints).toEqual([]);
    expect(wide).toEqual([]);
    expect((await world.gateway.admin.audit()).violations).toEqual([]);
    await context.close();
    await world.close();
  });

  test('is used by the keyboard alone, and names its parts for a screen reader', async () => {
    const world = await startConsole();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.addInitScript(noteFirstFocus);
    await page.goto(`${world.origin}/console/`);
    await signInByKeyboard(page);
    expect(await page.evaluate('firstFocus')).toBe('INPUT');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await page.keyboard.press('Tab');
    expect(await page.evaluate('document.activeElement.textContent')).toBe('To the content');
    await page.keyboard.press('Enter');
    expect(await page.evaluate('document.activeElement.id')).toBe('content');
    await page.getByRole('link', { name: 'Accounts' }).focus();
    await page.keyboard.press('Enter');
    const open = page.getByRole('button', { name: 'Open an account' });
    await open.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Open an account' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.locator('body').ariaSnapshot()).toMatch(
      /navigation "Sections"[\s\S]*main:[\s\S]*heading "Accounts"/u,
    );
    await context.close();
    await world.close();
  });

  test('asks for the credential anew where a session has ended, and the field has the focus at once', async () => {
    const world = await startConsole();
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${world.origin}/console/`);
    await signInByKeyboard(page);
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    await context.clearCookies();
    await page.getByRole('link', { name: 'Accounts' }).click();
    await signInByKeyboard(page);
    await page.getByRole('heading', { name: 'Accounts' }).waitFor();
    expect(await page.getByLabel('Credential').count()).toBe(0);
    await context.close();
    await world.close();
  });

  test('shows an owner its own account and nothing of others', async () => {
    const world = await startConsole();
    const { admin } = world.gateway;
    const [own, other] = [await admin.createAccount({ name: 'Own' }), await admin.createAccount({ name: 'Other' })];
    const project = await admin.createProject({ accountId: other.id, name: 'Secret plans' });
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(`${world.origin}/console/`);
    await page.getByLabel('Credential').fill(ownerCredentialOf(own.id));
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByRole('link', { name: 'Uncertain' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Accounts' }).click();
    await page.getByRole('heading', { name: 'Own' }).waitFor();
    expect(await page.getByRole('button', { name: 'Deposit credits' }).count()).toBe(0);
    for (const place of [`accounts/${other.id}`, `projects/${project?.id}`]) {
      await page.goto(`${world.origin}/console/#/${place}`);
      await page.getByText('Not found, or not yours.').waitFor();
      expect(await page.getByText(/Other|Secret plans/u).count()).toBe(0);
    }
    await context.close();
    await world.close();
  });

  test('shows texts of customers as texts', async () => {
    const world = await startConsole();
    const hostile = '<img src=x onerror=alert(1)><script>alert(2)</script>';
    await world.gateway.admin.createAccount({ name: hostile });
    const context = await browser.newContext();
    const page = await context.newPage();
    const complaints = watch(page);
    page.on('dialog', (dialog) => complaints.push(dialog.message()));
    await page.goto(`${world.origin}/console/#/accounts`);
    await page.getByLabel('Credential').fill(operatorCredential);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('link', { name: hostile }).waitFor();
    expect(complaints).toEqual([]);
    await context.close();
    await world.close();
  });
});
