import { array, assert, constantFrom, oneof, property, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { nothingSent, type LiveUseOutcome } from '@tollgate/engine';
import type { Usage } from '@tollgate/provider';
import { closeCodes } from './close-code.ts';
import { defaultLiveLimits } from './live-limits.ts';
import type { SessionInput } from './session-input.ts';
import type { SessionOutput } from './session-output.ts';
import type { SentCredits } from './sent-credits.ts';
import { firstState, type SessionState } from './session-state.ts';
import { stepSession } from './step-session.ts';

const frame = (value: unknown): SessionInput => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return { kind: 'frame', utf8: Buffer.from(text) };
};
const access = frame({ id: 'a', access_key: 'b' });
const hello = frame({ clientContent: { turns: [{ role: 'user', parts: [{ text: 'Hello' }] }], turnComplete: true } });

/** Runs inputs from the beginning; returns what was done at each. */
const run = (...inputs: readonly SessionInput[]) => {
  let state: SessionState = firstState;
  const outputs: SessionOutput[] = [];
  for (const input of inputs) {
    const step = stepSession(defaultLiveLimits, state, input);
    state = step.state;
    outputs.push(...step.outputs);
  }
  const closed = outputs.flatMap((output) => (output.kind === 'close' ? [closeCodes[output.reason]] : []));
  return { state, outputs, closed, ends: outputs.flatMap((output) => (output.kind === 'end' ? [output.end] : [])) };
};

const upstreamClosed = (cause: 'ended' | 'lost'): SessionInput => ({ kind: 'upstream_closed', cause, measured: true });
const sumOf = (quantity: number): readonly Usage[] => [{ unit: 'input_text_tokens', quantity, confirmed: true }];
const audioOf = (audioBytes: number): SessionInput => ({ kind: 'upstream_message', text: '{}', audioBytes });
/** A token of text is a micro-credit; the hold covers so many. */
const moneyOf = (sentMicros: bigint): SentCredits => ({
  priceSent: ({ textTokens }) => BigInt(textTokens),
  covered: { kind: 'covered', sentMicros },
});
const operationLedger = moneyOf(1_000_000n);
const taken = { kind: 'access_taken', sessionKind: 'live', operationLedger } as const;
const recordUseOf = (usage: readonly Usage[]): unknown => expect.objectContaining({ kind: 'record_use', usage });
const open: readonly SessionInput[] = [access, taken, { kind: 'upstream_open' }];
const usage = (quantity: number): SessionInput => ({
  kind: 'upstream_usage',
  usage: [{ unit: 'input_text_tokens', quantity, confirmed: true }],
});

test('says setupComplete once the upstream is up, and nothing before [live:socket:setup-complete-first]', () => {
  expect(run(access, taken).outputs.filter(({ kind }) => kind === 'send')).toEqual([]);
  expect(run(...open).outputs.at(-1)).toEqual({ kind: 'send', text: '{"setupComplete":{}}' });
});

test('asks for the access of the first frame and no other [live:socket:access-message]', () => {
  expect(run(access).outputs).toEqual([
    { kind: 'clear_timer', timer: 'first_frame' },
    { kind: 'take_access', credential: { id: 'a', accessKey: 'b' } },
  ]);
});

test.each([
  ['a message', hello],
  ['no JSON', frame('x')],
  ['an access with more in it', frame({ id: 'a', access_key: 'b', more: 1 })],
  ['an access of another type', frame({ id: 1, access_key: 'b' })],
  ['bytes', { kind: 'binary_frame' } as const],
])('closes with 1008 for %s as the first frame [live:close:before-setup]', (_name, input) => {
  const { closed, state } = run(input);
  expect([closed, state.phase]).toEqual([[1008], 'ended']);
});

test('closes with 1008 for a message before setupComplete, and releases the session [live:close:before-setup]', () => {
  expect(run(access, hello, taken)).toMatchObject({
    closed: [1008],
    ends: [{ kind: 'not_executed', errorCode: 'request_cancelled' }],
  });
  const connecting = run(access, taken, hello);
  expect(connecting.outputs.at(-1)).toEqual({ kind: 'give_up_connect' });
  expect(run(access, taken, hello, { kind: 'upstream_failed', executed: 'no' }).ends).toHaveLength(1);
});

test('waits no longer than a while for an upstream that does not heed that it was given up', () => {
  const over: SessionInput = { kind: 'timer', timer: 'finish' };
  for (const cause of [{ kind: 'client_closed' }, { kind: 'timer', timer: 'connect' }, { kind: 'drain' }] as const) {
    const given = run(access, taken, cause);
    expect(given.outputs.slice(-2)).toEqual([
      { kind: 'set_timer', timer: 'finish', ms: defaultLiveLimits.finishMs },
      { kind: 'give_up_connect' },
    ]);
    expect(run(access, taken, cause, over)).toMatchObject({
      state: { phase: 'ended' },
      ends: [{ kind: 'unknown', usage: [] }],
    });
    expect(run(access, taken, cause, { kind: 'upstream_failed', executed: 'no' }).outputs).toContainEqual({
      kind: 'clear_timer',
      timer: 'finish',
    });
  }
  expect(run(access, taken, over).state.phase).toBe('connecting');
  // The time to connect runs out meanwhile.
  expect(run(access, taken, { kind: 'client_closed' }, { kind: 'timer', timer: 'connect' })).toMatchObject({
    state: { phase: 'connecting' },
    ends: [],
  });
});

test('closes with 1009 for a first frame above 4 KiB, before it is checked', () => {
  expect(run(frame({ id: 'a', access_key: 'b'.repeat(4_096) })).closed).toEqual([1009]);
  expect(run(...open, { kind: 'frame', utf8: Buffer.alloc(defaultLiveLimits.frameBytesMax + 1, ' ') }).closed).toEqual([
    1009,
  ]);
});

const sendList = (values: number) => {
  const list = `[${'0,'.repeat(values)}0]`;
  const text = `{"toolResponse":{"functionResponses":[{"id":"1","name":"f","response":{"list":${list}}}]}}`;
  return run(...open, { kind: 'frame', utf8: Buffer.from(text) });
};

test('closes with 1007 for a frame that holds more values than it may, however few its bytes', () => {
  const { frameNodesMax } = defaultLiveLimits;
  expect(sendList(frameNodesMax - 20).closed).toEqual([]);
  expect(sendList(frameNodesMax).closed).toEqual([1007]);
});

test('closes with 4408 where no first frame comes in time [live:close:first-frame-timeout]', () => {
  expect(run({ kind: 'timer', timer: 'first_frame' }).closed).toEqual([4408]);
});

test('closes with 4429 where the caller runs as much as it may, and hands nothing to the upstream', () => {
  const { outputs, closed } = run(access, { kind: 'access_limited', code: 'rate_limited', detail: 'One at once.' });
  expect(closed).toEqual([4429]);
  expect(outputs.find(({ kind }) => kind === 'send')).toMatchObject({ text: expect.stringContaining('One at once.') });
  expect(outputs.at(-1)).toEqual({ kind: 'end', end: { kind: 'not_executed', errorCode: 'rate_limited' } });
  expect(outputs.some(({ kind }) => kind === 'connect')).toBe(false);
});

test('responds to every fault of a credential with the same frame and 4401 [live:close:bad-access]', () => {
  const { outputs, closed } = run(access, { kind: 'access_refused' });
  expect(closed).toEqual([4401]);
  expect(outputs.find(({ kind }) => kind === 'send')).toMatchObject({ text: expect.stringContaining('"error"') });
});

test.each([
  ['no JSON', 'x'],
  ['an unknown key', { foo: {} }],
  ['two messages in one', { clientContent: {}, toolResponse: { functionResponses: [] } }],
  ['a second access', { id: 'a', access_key: 'b' }],
  ['a setup', { setup: { model: 'x' } }],
  ['sound of another kind', { realtimeInput: { audio: { data: 'AAAA', mimeType: 'audio/mp3' } } }],
  ['sound that is no base64', { realtimeInput: { audio: { data: '*', mimeType: 'audio/pcm' } } }],
  ['a film', { realtimeInput: { video: { data: 'AAAA', mimeType: 'video/mp4' } } }],
  ['a message of music', { playbackControl: 'PLAY' }],
])('closes with 1007 for %s [live:close:bad-frame]', (_name, value) => {
  expect(run(...open, frame(value)).closed).toEqual([1007]);
});

test('closes with 1003 for bytes once it is open', () => {
  expect(run(...open, { kind: 'binary_frame' }).closed).toEqual([1003]);
});

test('ends normally with 1000, for a lost upstream with 1011, for a restart with 1012 [live:close:normal-and-restart]', () => {
  expect(run(...open, upstreamClosed('ended')).closed).toEqual([1000]);
  expect(run(...open, upstreamClosed('lost')).closed).toEqual([1011]);
  expect(run(...open, { kind: 'drain' }).closed).toEqual([1012]);
  expect(run({ kind: 'drain' }).closed).toEqual([1012]);
});

test('sends a goAway frame and closes with 4402 when the balance runs out [live:close:insufficient]', () => {
  const { outputs, closed } = run(...open, usage(5), {
    kind: 'recorded',
    outcome: 'insufficient',
    measured: nothingSent,
  });
  expect(closed).toEqual([4402]);
  expect(outputs.find((output) => output.kind === 'send' && output.text.includes('goAway'))).toMatchObject({
    text: expect.stringContaining('ai_insufficient_credits'),
  });
});

test('sends a goAway frame with the reason and closes with 4401 when the key may not be used any more', () => {
  const outcome = { kind: 'access_lost', code: 'project_paused' } as const;
  const { outputs, closed, ends } = run(
    ...open,
    usage(5),
    { kind: 'recorded', outcome, measured: nothingSent },
    { kind: 'upstream_closed', cause: 'ended', measured: true },
  );
  expect(closed).toEqual([4401]);
  expect(outputs.find((output) => output.kind === 'send' && output.text.includes('goAway'))).toMatchObject({
    text: expect.stringContaining('"code":"project_paused"'),
  });
  expect(ends).toEqual([{ kind: 'measured', usage: sumOf(5) }]);
});

test('looks at access every 15 seconds, also where both sides are silent', () => {
  expect(run(...open, { kind: 'timer', timer: 'time' }).outputs.slice(-2)).toEqual([
    recordUseOf([]),
    { kind: 'set_timer', timer: 'time', ms: 15_000 },
  ]);
});

test('is no longer than it may be: a goAway frame, 1000, and what was used is settled', () => {
  const opened = run(...open);
  expect(opened.outputs).toContainEqual({ kind: 'set_timer', timer: 'length', ms: defaultLiveLimits.sessionMs });
  const { outputs, closed, ends } = run(
    ...open,
    usage(5),
    { kind: 'timer', timer: 'length' },
    { kind: 'upstream_closed', cause: 'ended', measured: true },
  );
  expect(closed).toEqual([1000]);
  expect(outputs).toContainEqual({ kind: 'send', text: '{"goAway":{"timeLeft":"0s"}}' });
  expect(ends).toEqual([{ kind: 'measured', usage: sumOf(5) }]);
  expect(run(...open, { kind: 'client_closed' }).outputs).toContainEqual({ kind: 'clear_timer', timer: 'length' });
});

test('adds the turns up, notes each, and settles the sum at the end [live:settle:at-end]', () => {
  const { outputs, ends } = run(...open, usage(5), usage(7), { kind: 'client_closed' }, usage(1), {
    kind: 'upstream_closed',
    cause: 'ended',
    measured: true,
  });
  expect(outputs.filter(({ kind }) => kind === 'record_use')).toEqual([recordUseOf(sumOf(5)), recordUseOf(sumOf(12))]);
  expect(ends).toEqual([{ kind: 'measured', usage: sumOf(13) }]);
});

test('notes again and again how long it is open, and no longer than it is [live:reservation:renewed]', () => {
  const time: SessionInput = { kind: 'timer', timer: 'time' };
  const set = { kind: 'set_timer', timer: 'time', ms: 15_000 };
  expect(run(...open).outputs).toContainEqual(set);
  const step = (...inputs: readonly SessionInput[]) => run(...open, usage(5), ...inputs).outputs.slice(-2);
  expect(step(time)).toEqual([recordUseOf(sumOf(5)), set]);
  for (const end of [{ kind: 'client_closed' } as const, upstreamClosed('ended')]) {
    expect(run(...open, end).outputs).toContainEqual({ kind: 'clear_timer', timer: 'time' });
    expect(run(...open, end, time).outputs).toEqual(run(...open, end).outputs);
  }
});

test('marks uncertain what was not measured, also where the upstream never has its last word [live:settle:drop-uncertain]', () => {
  const lost: SessionInput = { kind: 'upstream_closed', cause: 'lost', measured: false };
  expect(run(...open, hello, lost).ends).toMatchObject([{ kind: 'unknown' }]);
  expect(run(...open, { kind: 'client_closed' }, { kind: 'timer', timer: 'finish' }).ends).toMatchObject([
    { kind: 'unknown' },
  ]);
});

test('passes sound on as the very bytes that came, both ways', () => {
  const audio = frame({ realtimeInput: { audio: { data: 'AAAA', mimeType: 'audio/pcm' } } });
  const utf8 = Buffer.from('{"serverContent":{}}');
  const { outputs } = run(...open, audio, { kind: 'upstream_bytes', utf8 });
  const [heard, said] = outputs.slice(-2);
  expect(heard?.kind === 'to_upstream' && heard.message.utf8).toBe(audio.kind === 'frame' && audio.utf8);
  expect(said?.kind === 'send_bytes' && said.utf8).toBe(utf8);
});

test('measures music by its seconds, begun ones whole, and notes it every ten', () => {
  const music: readonly SessionInput[] = [
    access,
    { kind: 'access_taken', sessionKind: 'music', operationLedger },
    { kind: 'upstream_open' },
  ];
  const { outputs, ends } = run(
    ...music,
    audioOf(192_000 * 10),
    audioOf(1),
    { kind: 'client_closed' },
    { kind: 'upstream_closed', cause: 'ended', measured: true },
  );
  expect(outputs.filter(({ kind }) => kind === 'record_use')).toEqual([
    recordUseOf([{ unit: 'music_seconds', quantity: 10, confirmed: true }]),
  ]);
  expect(ends).toEqual([{ kind: 'measured', usage: [{ unit: 'music_seconds', quantity: 11, confirmed: true }] }]);
});

const poor: readonly SessionInput[] = [
  access,
  { kind: 'access_taken', sessionKind: 'live', operationLedger: moneyOf(100n) },
  { kind: 'upstream_open' },
];
/** So many tokens by their bound. */
const words = (tokens: number): SessionInput => frame({ realtimeInput: { text: 'x'.repeat(tokens * 4) } });
const covered = (sentMicros: bigint): LiveUseOutcome => ({ kind: 'covered', sentMicros });
const held = (sentMicros: bigint): SessionInput => ({ kind: 'held', outcome: covered(sentMicros) });
const sentBy = (outputs: readonly SessionOutput[]): readonly number[] =>
  outputs.flatMap((output) => (output.kind === 'to_upstream' ? [(output.message.text.length - 29) / 4] : []));
const coversOf = (outputs: readonly SessionOutput[]): readonly bigint[] =>
  outputs.flatMap((output) => (output.kind === 'cover' ? [output.sentMicros] : []));

test('sends what the hold covers at once, and lets the rest wait for one extension of the hold', () => {
  const inputs = [...poor, words(60), words(40), words(1), words(2), words(3)];
  const { outputs } = run(...inputs);
  expect(sentBy(outputs)).toEqual([60, 40]);
  expect(coversOf(outputs)).toEqual([101n]);
  // What came while the first was asked for goes in order, as far as it is covered.
  const more = run(...inputs, held(103n));
  expect(sentBy(more.outputs)).toEqual([60, 40, 1, 2]);
  expect(coversOf(more.outputs)).toEqual([101n, 106n]);
  expect(sentBy(run(...inputs, held(103n), held(106n)).outputs)).toEqual([60, 40, 1, 2, 3]);
});

test('closes with 4402 and sends nothing of what the balance does not cover [live:close:insufficient]', () => {
  const { outputs, closed } = run(...poor, words(101), words(1), { kind: 'held', outcome: 'insufficient' });
  expect(closed).toEqual([4402]);
  expect(sentBy(outputs)).toEqual([]);
  expect(run(...poor, words(101), { kind: 'held', outcome: 'ended' }).closed).toEqual([1011]);
});

test('says why and closes with 1009 where more waits for its hold than may wait', () => {
  const tokens = defaultLiveLimits.bufferedBytesMax / 4 / 2;
  expect(run(...poor, words(tokens)).closed).toEqual([]);
  const { outputs, closed } = run(...poor, words(tokens), words(tokens));
  expect(closed).toEqual([1009]);
  const notice = outputs.findIndex((output) => output.kind === 'send' && output.text.includes('"input_limit"'));
  expect(outputs[notice]).toMatchObject({ text: expect.stringMatching(/"goAway".*exceed 1048576 bytes/) });
  expect(outputs[notice + 1]).toEqual({ kind: 'close', reason: 'tooLarge' });
});

test('closes with 1011 where what is sent has no price', () => {
  const unpriced = { priceSent: () => null, covered: { kind: 'covered', sentMicros: 100n } } as const;
  const opened: readonly SessionInput[] = [
    access,
    { kind: 'access_taken', sessionKind: 'live', operationLedger: unpriced },
    { kind: 'upstream_open' },
  ];
  expect(run(...opened, words(1))).toMatchObject({ closed: [1011] });
});

/** Gives each note back, with a hold that covers so much. */
const noteBack = (outputs: readonly SessionOutput[], sentMicros: bigint): SessionInput => {
  const last = outputs.findLast((output) => output.kind === 'record_use');
  return { kind: 'recorded', outcome: covered(sentMicros), measured: last?.measured ?? nothingSent };
};

test('lets a measure replace the bound of what was sent before the model spoke, once it is noted', () => {
  const said: SessionInput = { kind: 'upstream_bytes', utf8: Buffer.from('{}') };
  const turn = [...poor, words(70), said, words(30), usage(50)];
  const { outputs } = run(...turn);
  expect(outputs.at(-1)).toMatchObject({ kind: 'record_use', sentMicros: 100n, measured: { textTokens: 70 } });
  expect(coversOf(run(...turn, words(1)).outputs)).toEqual([101n]);
  const recorded = [...turn, noteBack(outputs, 100n)];
  expect(coversOf(run(...recorded, words(70)).outputs)).toEqual([]);
  // What was sent while the model spoke is of the next turn.
  expect(coversOf(run(...recorded, words(71)).outputs)).toEqual([101n]);
  expect(coversOf(run(...recorded, words(70), usage(50)).outputs)).toEqual([]);
});

test('asks for no hold of the input of music, which is charged by what is played', () => {
  const music = { kind: 'access_taken', sessionKind: 'music', operationLedger: moneyOf(0n) } as const;
  const prompts = frame({ clientContent: { weightedPrompts: [{ text: 'x'.repeat(4_000), weight: 1 }] } });
  const { outputs } = run(access, music, { kind: 'upstream_open' }, prompts);
  expect(outputs.at(-1)).toMatchObject({ kind: 'to_upstream' });
});

const anyInput: Arbitrary<SessionInput> = oneof(
  constantFrom<SessionInput>(
    access,
    hello,
    frame('x'),
    { kind: 'binary_frame' },
    { kind: 'client_closed' },
    { kind: 'client_stalled' },
    { kind: 'upstream_stalled' },
    { kind: 'drain' },
    { kind: 'upstream_message', text: '{"serverContent":{}}', audioBytes: 0 },
    { kind: 'upstream_bytes', utf8: Buffer.from('{"serverContent":{}}') },
    usage(3),
    { kind: 'recorded', outcome: { kind: 'covered', sentMicros: 0n }, measured: nothingSent },
    { kind: 'recorded', outcome: { kind: 'covered', sentMicros: 100n }, measured: nothingSent },
    { kind: 'recorded', outcome: 'insufficient', measured: nothingSent },
    { kind: 'recorded', outcome: 'ended', measured: nothingSent },
    { kind: 'held', outcome: { kind: 'covered', sentMicros: 100n } },
    { kind: 'held', outcome: 'insufficient' },
    { kind: 'held', outcome: 'ended' },
    { kind: 'timer', timer: 'first_frame' },
    { kind: 'timer', timer: 'connect' },
    { kind: 'timer', timer: 'finish' },
    { kind: 'timer', timer: 'time' },
  ),
  constantFrom<SessionInput>(
    access,
    taken,
    { kind: 'access_refused' },
    { kind: 'access_limited', code: 'rate_limited' },
    { kind: 'access_unknown' },
    { kind: 'upstream_open' },
    { kind: 'upstream_failed', executed: 'no' },
    { kind: 'upstream_failed', executed: 'unknown' },
    { kind: 'upstream_closed', cause: 'lost', measured: false },
    { kind: 'upstream_closed', cause: 'ended', measured: true },
  ),
);

/** What the world can do: it answers only what it was asked, and once. */
const mayHappen = (asked: ReadonlySet<string>, input: SessionInput): boolean => {
  switch (input.kind) {
    case 'access_taken':
    case 'access_refused':
    case 'access_limited':
    case 'access_unknown':
      return asked.has('access');
    case 'upstream_open':
    case 'upstream_failed':
      return asked.has('connect');
    case 'upstream_message':
    case 'upstream_bytes':
    case 'upstream_usage':
    case 'upstream_closed':
    case 'upstream_stalled':
    case 'recorded':
    case 'held':
      return asked.has('upstream');
    case 'frame':
    case 'binary_frame':
    case 'client_closed':
    case 'client_stalled':
    case 'timer':
    case 'drain':
      return true;
  }
};

const moveOn = (asked: Set<string>, input: SessionInput, outputs: readonly SessionOutput[]): void => {
  if (input.kind.startsWith('access_')) asked.delete('access');
  if (input.kind === 'upstream_open' || input.kind === 'upstream_failed') asked.delete('connect');
  if (input.kind === 'upstream_open') asked.add('upstream');
  if (input.kind === 'upstream_closed') asked.delete('upstream');
  for (const { kind } of outputs) {
    if (kind === 'take_access') asked.add('access');
    if (kind === 'connect') asked.add('connect');
  }
};

/** What is left to happen once everybody has gone. */
const lastWords: readonly SessionInput[] = [
  { kind: 'client_closed' },
  taken,
  { kind: 'upstream_failed', executed: 'no' },
  { kind: 'upstream_closed', cause: 'lost', measured: false },
];

test('whatever happens in whatever order: nothing of the model before the access, one setup, one socket close, one end', () => {
  assert(
    property(array(anyInput, { maxLength: 24 }), (inputs) => {
      let state: SessionState = firstState;
      const asked = new Set<string>();
      const outputs: SessionOutput[] = [];
      let isTaken = false;
      for (const input of [...inputs, ...lastWords]) {
        if (!mayHappen(asked, input)) continue;
        if (input.kind === 'access_taken' || input.kind === 'access_limited') isTaken = true;
        const step = stepSession(defaultLiveLimits, state, input);
        state = step.state;
        for (const output of step.outputs) {
          const early = ['connect', 'to_upstream', 'record_use', 'cover', 'end'].includes(output.kind);
          const told = output.kind === 'send_bytes' || (output.kind === 'send' && !output.text.includes('"error"'));
          expect(!isTaken && (early || told)).toBe(false);
        }
        moveOn(asked, input, step.outputs);
        outputs.push(...step.outputs);
      }
      const count = (found: (output: SessionOutput) => boolean): number => outputs.filter(found).length;
      expect(count(({ kind }) => kind === 'connect')).toBeLessThanOrEqual(1);
      expect(count((output) => output.kind === 'send' && output.text.includes('setupComplete'))).toBeLessThanOrEqual(1);
      expect(count(({ kind }) => kind === 'close' || kind === 'terminate')).toBeLessThanOrEqual(1);
      expect(count(({ kind }) => kind === 'end')).toBe(isTaken ? 1 : 0);
      const closedAt = outputs.findIndex(({ kind }) => kind === 'close' || kind === 'terminate');
      const after = closedAt < 0 ? [] : outputs.slice(closedAt);
      expect(after.some(({ kind }) => kind === 'send')).toBe(false);
    }),
    { numRuns: 5_000 * Number(process.env['TEST_SCALE'] ?? 1) },
  );
});
