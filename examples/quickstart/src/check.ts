// Starts the quickstart as a process, calls it, kills it in the middle of a generation, starts it again, and reads the ledger.
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createGateway, sqliteStorage } from 'tollgate';
import { refusedQuickstart, startQuickstart, type QuickstartProcess } from './quickstart-process.ts';

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

const chat = async (
  { base, key }: QuickstartProcess,
  body: Readonly<Record<string, unknown>>,
  identity: string,
): Promise<Answer> => {
  const response = await fetch(`${base}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', 'idempotency-key': identity },
    body: JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
};

const saying = (content: string) => ({ messages: [{ role: 'user', content }] });

const checkCalls = async (quickstart: QuickstartProcess): Promise<void> => {
  const json = await chat(quickstart, saying('[[sandbox: echo Hello]]'), 'json-1');
  assert.equal(json.status, 200);
  assert.equal(json.headers.get('idempotency-replayed'), 'false');
  assert.match(json.text, /"content":"Hello"/);
  const again = await chat(quickstart, saying('[[sandbox: echo Hello]]'), 'json-1');
  assert.equal(again.headers.get('idempotency-replayed'), 'true');
  assert.equal(again.text, json.text);
  const events = await chat(quickstart, { ...saying('[[sandbox: echo Hello]]'), stream: true }, 'sse-1');
  assert.match(events.headers.get('content-type') ?? '', /^text\/event-stream/);
  const blocks = events.text.trim().split('\n\n');
  // The role, the one word that the model wrote, the end with the credits, and the mark of the end.
  assert.equal(blocks.length, 4);
  assert.match(blocks[1] ?? '', /"delta":\{"content":"Hello"\}/);
  assert.match(blocks[2] ?? '', /"finish_reason":"stop".*"credits":/);
  assert.equal(blocks[3], 'data: [DONE]');
  const replay = await chat(quickstart, { ...saying('[[sandbox: echo Hello]]'), stream: true }, 'sse-1');
  assert.equal(replay.text, events.text);
  console.log('ok  JSON, the same bytes again, and a stream');
};

const slow = saying('[[sandbox: slow 600000]]');

interface ErrorShape {
  readonly code: string;
  readonly request_id: string;
}

const errorOf = (answer: Answer): ErrorShape => {
  // The shape is checked by the comparisons that follow.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const { error } = JSON.parse(answer.text) as { readonly error: ErrorShape };
  return error;
};

/** Two equal calls: one is generating, and the other is refused with the id. Then the process is killed. */
const killInTheMiddle = async (quickstart: QuickstartProcess): Promise<string> => {
  const calls = [chat(quickstart, slow, 'slow-1'), chat(quickstart, slow, 'slow-1')];
  const told = await Promise.race(calls);
  assert.equal(told.status, 409);
  const { code, request_id } = errorOf(told);
  assert.equal(code, 'request_in_progress');
  const settled = Promise.allSettled(calls);
  await quickstart.end('SIGKILL');
  const outcomes = await settled;
  assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1);
  return request_id;
};

interface RequestShape {
  readonly status: string;
  readonly charged_credits: number;
  readonly reserved_credits: number;
  readonly error_code: string | null;
  readonly response: object | null;
}

const readRequest = async ({ base, key }: QuickstartProcess, id: string): Promise<RequestShape> => {
  const response = await fetch(`${base}/requests/${id}`, { headers: { authorization: `Bearer ${key}` } });
  assert.equal(response.status, 200);
  // The shape is checked by the comparisons that follow.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as RequestShape;
};

const uncertainWithinMs = 20_000;
const lookEveryMs = 50;

const whenUncertain = async (quickstart: QuickstartProcess, id: string): Promise<RequestShape> => {
  const deadline = Date.now() + uncertainWithinMs;
  for (;;) {
    const record = await readRequest(quickstart, id);
    if (record.status !== 'processing') return record;
    assert.ok(Date.now() < deadline, 'the operation should have become uncertain');
    await pause(lookEveryMs);
  }
};

const checkUncertain = async (quickstart: QuickstartProcess, id: string): Promise<void> => {
  const { status, charged_credits, reserved_credits, error_code, response } = await whenUncertain(quickstart, id);
  assert.equal(status, 'uncertain');
  assert.equal(charged_credits, 0);
  assert.ok(reserved_credits > 0);
  assert.equal(error_code, 'settlement_pending');
  assert.equal(response, null);
  const repeated = await chat(quickstart, slow, 'slow-1');
  assert.equal(repeated.status, 409);
  assert.deepEqual({ ...errorOf(repeated), message: '' }, { code: 'settlement_pending', message: '', request_id: id });
  console.log('ok  killed in the middle: uncertain, its hold kept, not run again');
};

/** Its port is another program's: one line says what to do. */
const checkBusyPort = async ({ base }: QuickstartProcess, data: string): Promise<void> => {
  const { code, errors } = await refusedQuickstart({ ...environment, PORT: new URL(base).port, TOLLGATE_DATA: data });
  assert.equal(code, 1);
  // The warning about a missing contextSecret is of another kind.
  const lines = errors.split('\n').filter((line) => line !== '' && !line.startsWith('{'));
  assert.equal(lines.length, 1, errors);
  assert.match(
    lines[0] ?? '',
    /^Port \d+ is in use by another program: choose another one, as in PORT=8788 npm start\.$/,
  );
  console.log('ok  one line names the busy port');
};

/** The operator's side, on the same database: one operation for each identity, and books that hold. */
const checkBooks = async (database: string, id: string): Promise<void> => {
  const { admin, close } = await createGateway({ storage: sqliteStorage({ path: database }) });
  const operation = await admin.readOperation(id);
  assert.ok(operation);
  assert.equal(operation.state, 'uncertain');
  const { accountId, holdMicros } = operation;
  assert.equal((await admin.listOperations({ kind: 'account', accountId })).length, 3);
  assert.equal((await admin.readWallet(accountId))?.reservedMicros, holdMicros);
  assert.equal((await admin.resolveOperation(id, { executed: false })).kind, 'resolved');
  assert.equal((await admin.readWallet(accountId))?.reservedMicros, 0n);
  assert.deepEqual((await admin.audit()).violations, []);
  await close();
  console.log('ok  resolved by the operator, and the ledger holds');
};

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-quickstart-'));
const environment = { PORT: '0', TOLLGATE_DATA: folder, TOLLGATE_LEASE_MS: '1500' };
let running: QuickstartProcess | null = null;
try {
  running = await startQuickstart(environment);
  assert.equal(running.credits, 100);
  await checkCalls(running);
  await checkBusyPort(running, path.join(folder, 'other'));
  const id = await killInTheMiddle(running);
  running = await startQuickstart(environment);
  await checkUncertain(running, id);
  assert.equal(await running.end('SIGTERM'), 0);
  running = null;
  await checkBooks(path.join(folder, 'tollgate.db'), id);
} finally {
  await running?.end('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
