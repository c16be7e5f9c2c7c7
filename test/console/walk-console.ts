// What an operator does with a new gateway, step by step, in a real browser.
import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { operatorCredential, type ConsoleWorld } from './console-world.ts';

/** Called at each step, for a screenshot or a check of the page. */
export type AtStep = (name: string, page: Page) => Promise<void>;

const settledMs = 15_000;

interface Walk {
  readonly page: Page;
  readonly world: ConsoleWorld;
  readonly atStep: AtStep;
}

const signIn = async ({ page, world, atStep }: Walk): Promise<void> => {
  await page.goto(`${world.origin}/console`);
  await page.getByLabel('Credential').fill('wrong');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('This credential is not known.').waitFor();
  await atStep('sign-in', page);
  await page.getByLabel('Credential').fill(operatorCredential);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
};

const openAccount = async ({ page, atStep }: Walk): Promise<void> => {
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByRole('button', { name: 'Open an account' }).click();
  await page.getByLabel('Name').fill('Bright Robotics');
  await page.getByRole('button', { name: 'Open the account' }).click();
  await page.getByRole('heading', { name: 'Bright Robotics' }).waitFor();
  await page.getByRole('button', { name: 'Deposit credits' }).click();
  await page.getByRole('textbox', { name: 'Credits' }).fill('250');
  await page.getByRole('button', { name: 'Deposit', exact: true }).click();
  await page.getByTestId('balance').getByText('250').waitFor();
  await atStep('account', page);
};

/** Creates a project and returns the text of its first key, which the page shows once. */
const createProject = async ({ page, atStep }: Walk): Promise<string> => {
  await page.getByRole('button', { name: 'Create a project' }).click();
  await page.getByLabel('Name').fill('Support chat');
  await page.getByRole('button', { name: 'Create the project and a key' }).click();
  const key = (await page.getByTestId('secret').textContent()) ?? '';
  await atStep('key', page);
  await page.getByRole('link', { name: 'To the project' }).click();
  await page.getByRole('heading', { name: 'Support chat' }).waitFor();
  await page.getByText('first key').waitFor();
  assert.ok(!(await page.content()).includes(key), 'the key is shown once');
  await atStep('project', page);
  return key;
};

const send = async ({ page }: Walk, key: string, prompt: string): Promise<void> => {
  await page.getByRole('link', { name: 'Try a call' }).click();
  await page.getByLabel('Key', { exact: true }).fill(key);
  await page.getByLabel('Prompt').fill(prompt);
  await page.getByRole('button', { name: 'Send' }).click();
};

const tryCall = async (walk: Walk, key: string): Promise<void> => {
  const { page, atStep } = walk;
  await send(walk, key, 'Hello. [[sandbox: slow 1200]] [[sandbox: echo Hello from the console]]');
  await page
    .getByText(/credits$/u)
    .first()
    .waitFor();
  await atStep('reserved', page);
  await page.getByTestId('try-state').getByText('completed').waitFor({ timeout: settledMs });
  await page.getByTestId('try-answer').getByText('Hello from the console').waitFor();
  assert.match((await page.getByTestId('try-charged').textContent()) ?? '', /^0\.\d+ credits$/u);
  await atStep('settled', page);
};

const readLife = async ({ page, atStep }: Walk): Promise<void> => {
  await page.locator('dd a.mono').click();
  await page.getByRole('heading', { name: 'Request', exact: true }).waitFor();
  await page.getByText('Opened', { exact: false }).first().waitFor();
  await page.getByText('Ended').waitFor();
  await atStep('request', page);
};

const resolveUncertain = async (walk: Walk, key: string): Promise<void> => {
  const { page, atStep } = walk;
  await send(walk, key, '[[sandbox: unknown]]');
  await page.getByTestId('try-state').getByText('uncertain').waitFor({ timeout: settledMs });
  await page.getByRole('link', { name: 'Uncertain' }).click();
  await page.getByRole('heading', { name: 'Uncertain requests' }).waitFor();
  await page.locator('td a.mono').first().click();
  await page.getByText('Why it is uncertain').waitFor();
  await atStep('uncertain', page);
  await page.getByLabel('Decision').selectOption('amount');
  await page.getByRole('textbox', { name: 'Credits' }).fill('0.25');
  await page.getByLabel('Reason').fill('On the bill of the upstream.');
  await page.getByRole('button', { name: 'See what this charges' }).click();
  await page.getByRole('button', { name: 'Charge 0.25 credits' }).click();
  await page.getByText('by Olga').waitFor();
  await atStep('resolved', page);
};

/** What the project's own routes are asked, since the console makes neither webhooks nor schedules. */
const furnish = async ({ world }: Walk, key: string): Promise<void> => {
  const post = (path: string, body: unknown): Promise<Response> =>
    world.gateway.fetch(
      new Request(`${world.origin}/api/v1/ai/${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    );
  const webhook = await post('webhooks', { url: 'https://hooks.example.com/ai', events: ['request.completed'] });
  assert.equal(webhook.status, 200, await webhook.text());
  const trigger = await post('triggers', {
    display_name: 'Morning report',
    schedule: '0 7 * * 1-5',
    time_zone: 'Europe/Lisbon',
    interaction: { model: 'flash-3.8', input: 'What is new?' },
  });
  assert.equal(trigger.status, 200, await trigger.text());
};

const watchEvents = async (walk: Walk, key: string): Promise<void> => {
  const { page, atStep } = walk;
  await furnish(walk, key);
  await send(walk, key, '[[sandbox: echo one more]]');
  await page.getByTestId('try-state').getByText('completed').waitFor({ timeout: settledMs });
  await page.getByRole('link', { name: 'Deliveries' }).click();
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await page
    .getByRole('button', { name: /^Send .* again$/u })
    .first()
    .waitFor({ timeout: settledMs });
  await page
    .getByRole('button', { name: /^Send .* again$/u })
    .first()
    .click();
  await page.getByText('The event will be sent again.').waitFor();
  await atStep('deliveries', page);
  await page.getByRole('link', { name: 'Schedules' }).click();
  await page.getByText('Morning report').waitFor();
  await page.getByRole('button', { name: 'Pause Morning report' }).click();
  await page.getByRole('button', { name: 'Resume Morning report' }).waitFor();
  await page.getByRole('button', { name: 'Resume Morning report' }).click();
  await page.getByRole('button', { name: 'Pause Morning report' }).waitFor();
  await atStep('schedules', page);
};

const readUsage = async ({ page, atStep }: Walk): Promise<void> => {
  await page.getByRole('link', { name: 'Usage' }).click();
  await page.getByRole('cell', { name: 'flash-3.8' }).waitFor();
  await page.locator('.chart canvas').waitFor();
  await atStep('usage', page);
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.locator('.chart canvas').waitFor();
  await atStep('overview', page);
};

const limitKey = async ({ page, atStep }: Walk): Promise<void> => {
  await page.getByRole('link', { name: 'Projects' }).click();
  await page.getByRole('link', { name: 'Support chat' }).click();
  await page.getByRole('button', { name: 'Limits of the project' }).click();
  await page.getByLabel('Requests at once').fill('4');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Requests at once: 4').waitFor();
  await page.getByRole('button', { name: 'Limits of first key' }).click();
  await page.getByLabel('Name').fill('chat server');
  await page.getByLabel('Models').fill('flash-3.8');
  await page.getByLabel('Spends at the most').fill('20');
  await page.getByLabel('In', { exact: true }).selectOption('day');
  await page.getByLabel('Requests a minute').fill('60');
  await atStep('limits', page);
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('chat server').waitFor();
  await page.getByText('20 a day').waitFor();
  page.once('dialog', (dialog) => void dialog.accept());
  await page.getByRole('button', { name: 'Revoke chat server' }).click();
  await page.getByText('revoked').waitFor();
  await atStep('revoked', page);
};

/** Walks through the whole console. */
export const walkConsole = async (walk: Walk): Promise<void> => {
  await signIn(walk);
  await openAccount(walk);
  const key = await createProject(walk);
  await tryCall(walk, key);
  await readLife(walk);
  await resolveUncertain(walk, key);
  await watchEvents(walk, key);
  await readUsage(walk);
  await limitKey(walk);
  await walk.page.getByRole('button', { name: 'Sign out' }).click();
  await walk.page.getByLabel('Credential').waitFor();
};
