import { array, assert, bigInt, constantFrom, oneof, property, record, type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { nothingSent, type LiveSent } from '@tollgate/engine';
import { defaultLiveLimits } from './live-limits.ts';
import { passFrame } from './pass-frame.ts';
import type { SessionInput } from './session-input.ts';
import type { SentCredits } from './sent-credits.ts';
import { firstState, type SessionState } from './session-state.ts';
import { stepSession } from './step-session.ts';

const frame = (value: unknown): Buffer => Buffer.from(JSON.stringify(value));
const audioOf = (bytes: number): Buffer =>
  frame({ realtimeInput: { audio: { data: Buffer.alloc(bytes).toString('base64'), mimeType: 'audio/pcm' } } });
const access = frame({ id: 'a', access_key: 'b' });
const spoken = frame({ realtimeInput: { text: 'Hello' } });
const limits = { ...defaultLiveLimits, frameBytesMax: 10_000 };

const moneyOf = (sentMicros: bigint): SentCredits => ({
  priceSent: ({ audioSeconds, textTokens }: LiveSent) => BigInt(Math.ceil(audioSeconds * 32)) + BigInt(textTokens),
  covered: { kind: 'covered', sentMicros },
});

const stateAfter = (sessionKind: 'live' | 'music', ...frames: readonly Buffer[]): SessionState => {
  const inputs: readonly SessionInput[] = [
    { kind: 'frame', utf8: access },
    { kind: 'access_taken', sessionKind, operationLedger: moneyOf(1_000n) },
    { kind: 'upstream_open' },
    ...frames.map((utf8): SessionInput => ({ kind: 'frame', utf8 })),
  ];
  return inputs.reduce<SessionState>((state, input) => stepSession(limits, state, input).state, firstState);
};

/** What of a session moves its hold: frames, measures, notes of them and holds. */
const inputsOf: Arbitrary<readonly SessionInput[]> = array(
  oneof(
    {
      weight: 8,
      arbitrary: constantFrom(640, 1_000, 6_400).map((bytes): SessionInput => ({
        kind: 'frame',
        utf8: audioOf(bytes),
      })),
    },
    constantFrom<SessionInput>(
      { kind: 'frame', utf8: spoken },
      { kind: 'upstream_usage', usage: [] },
      { kind: 'upstream_bytes', utf8: Buffer.from('{}') },
    ),
    record({ sentMicros: bigInt({ min: 0n, max: 900n }), noted: constantFrom(true, false) }).map(
      ({ sentMicros, noted }): SessionInput =>
        noted
          ? { kind: 'recorded', outcome: { kind: 'covered', sentMicros }, measured: nothingSent }
          : { kind: 'held', outcome: { kind: 'covered', sentMicros } },
    ),
  ),
  { maxLength: 60 },
);

test('passes audio on as a step of the session would', () => {
  let passed = 0;
  assert(
    property(inputsOf, (inputs) => {
      let state = stateAfter('live');
      for (const input of inputs) {
        const step = stepSession(limits, state, input);
        const found = input.kind === 'frame' ? passFrame(limits, state, input.utf8) : null;
        passed += Number(found !== null);
        const outputs = [{ kind: 'to_upstream', message: found?.message }];
        expect(found === null ? step : { state: found.state, outputs }).toEqual(step);
        state = step.state;
      }
    }),
  );
  expect(passed).toBeGreaterThan(50);
});

test.each([
  ['what is no audio', stateAfter('live', audioOf(640)), spoken],
  ['the first piece, whose hold is not known yet', stateAfter('live'), audioOf(640)],
  ['more than a frame may hold', stateAfter('live', audioOf(640)), audioOf(10_000)],
  ['audio in a session of music', stateAfter('music', audioOf(640)), audioOf(640)],
  ['a frame before the session is open', firstState, audioOf(640)],
])('leaves %s to the step', (_name, state, utf8) => {
  expect(passFrame(limits, state, utf8)).toBeNull();
});
