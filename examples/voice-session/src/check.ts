// Talks through the page in a real browser, or where there is none, by the page's own client in Node; then reads the books.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { microphoneFile } from './microphone-file.ts';
import { talk, type Access, type Answered } from './page/voice-client.ts';
import { startSite, type Site } from './start-site.ts';
import { findBrowser, talkInBrowser } from './talk-in-browser.ts';

const wavHeaderBytes = 44;

const talkInNode = async (origin: string): Promise<Answered> => {
  // Our own back end wrote it.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const access = (await (await fetch(`${origin}/access`, { method: 'POST' })).json()) as Access;
  const file = Uint8Array.from(microphoneFile().subarray(wavHeaderBytes));
  return talk(access, { microphone: new Int16Array(file.buffer), play: () => {} });
};

/** The operation of the only session, once it has ended. */
const endedOperation = async ({ gateway }: Site) => {
  const [account] = await gateway.admin.listAccounts();
  assert.ok(account);
  for (let tries = 0; tries < 100; tries += 1) {
    const [operation] = await gateway.admin.listOperations({ kind: 'account', accountId: account.id });
    if (operation?.endedAtMs) return operation;
    await pause(50);
  }
  return assert.fail('the session was not settled');
};

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-voice-'));
const site = await startSite({ port: 0, database: path.join(folder, 'tollgate.db') });
try {
  const browser = findBrowser();
  const { transcript, spokenMs } =
    browser === null ? await talkInNode(site.origin) : await talkInBrowser(browser, site.origin);
  assert.equal(transcript, 'I heard 1000 milliseconds.');
  assert.ok(spokenMs > 500, `only ${spokenMs} ms were spoken`);
  const operation = await endedOperation(site);
  assert.equal(operation.state, 'completed');
  assert.ok(operation.chargedMicros > 0n);
  assert.deepEqual((await site.gateway.admin.audit()).violations, []);
  console.log(
    `voice-session: ${browser === null ? 'no browser here, so the client of the page ran in Node' : 'a page in a real browser'} streamed a second of sound and played ${Math.round(spokenMs)} ms of answer`,
  );
} finally {
  await site.close();
  await rm(folder, { recursive: true, force: true });
}
