import { array, assert, bigInt, boolean, constantFrom, oneof, property, record } from 'fast-check';
import { expect, test } from 'vitest';
import { parseLiveMessage, type LiveClientMessage } from '@tollgate/contract';
import { liveSentOf, type LiveSent } from '@tollgate/engine';
import { firstSending, holdSent, offer, type Released, type Sending } from './sending.ts';

const read = (value: unknown): readonly LiveClientMessage[] =>
  parseLiveMessage('live', Buffer.from(JSON.stringify(value)), 1_000) ?? [];
const base64 = (bytes: number): string => Buffer.alloc(bytes).toString('base64');
const audioOf = (bytes: number, mimeType = 'audio/pcm;rate=16000') =>
  read({ realtimeInput: { audio: { data: base64(bytes), mimeType } } });
const sayOf = (chars: number) => read({ realtimeInput: { text: 'x'.repeat(chars) } });

const secondMicros = 32n;
const priceOf = ({ audioSeconds, textTokens }: LiveSent): bigint =>
  BigInt(Math.ceil(audioSeconds * 32)) + BigInt(textTokens);

/** Counts how often something is priced. */
const sendingFor = (sentMicros: bigint) => {
  const asked = { count: 0 };
  const priceSent = (sent: LiveSent): bigint => {
    asked.count += 1;
    return priceOf(sent);
  };
  return { asked, sending: firstSending('live', { priceSent, covered: { kind: 'covered', sentMicros } }) };
};

const bytesMax = 1_000_000;
const offered = (sending: Sending, messages: readonly LiveClientMessage[]): Released => {
  const released = offer(sending, messages, bytesMax);
  if (typeof released === 'string') throw new Error(`the messages are ${released}`);
  return released;
};
const passedOf = ({ outputs }: Released): number => outputs.filter(({ kind }) => kind === 'to_upstream').length;

test('prices audio by the second and not by the piece, and sends what the hold covers and no more', () => {
  const { asked, sending } = sendingFor(10n * secondMicros);
  let state = sending;
  let passed = 0;
  // Of 20 ms, a little less.
  for (let piece = 0; piece < 600; piece += 1) {
    const released = offered(state, audioOf(639));
    passed += passedOf(released);
    state = released.sending;
  }
  expect(passed).toBe(500);
  expect(asked.count).toBeLessThan(150);
});

test('sends at every moment what is sent where every message is priced by itself', () => {
  const messages = oneof(
    constantFrom(640, 4_000, 64_000).map((bytes) => audioOf(bytes)),
    constantFrom(4, 100).map((chars) => sayOf(chars)),
  );
  const inputs = array(record({ message: messages, raised: boolean(), by: bigInt({ min: 0n, max: 200n }) }));
  assert(
    property(inputs, (all) => {
      let { sending } = sendingFor(100n);
      let coveredMicros = 100n;
      let heldSent: LiveSent = sending.sent;
      const queue: LiveClientMessage[] = [];
      /** The plain rule: in order, each where it is covered together with all before it. */
      const release = (): number => {
        let count = 0;
        for (const message of queue) {
          const { audioSeconds, textTokens } = liveSentOf(message.body);
          const more = {
            ...heldSent,
            audioSeconds: heldSent.audioSeconds + audioSeconds,
            textTokens: heldSent.textTokens + textTokens,
          };
          if (priceOf(more) > coveredMicros) break;
          heldSent = more;
          count += 1;
        }
        queue.splice(0, count);
        return count;
      };
      for (const { message, raised, by } of all) {
        const waits = queue.length > 0;
        queue.push(...message);
        const step = offered(sending, message);
        expect(passedOf(step)).toBe(waits ? 0 : release());
        sending = step.sending;
        if (!raised) continue;
        coveredMicros += by;
        const held = holdSent(sending, { kind: 'covered', sentMicros: coveredMicros });
        expect(held === null ? -1 : passedOf(held)).toBe(release());
        sending = held?.sending ?? sending;
      }
      expect(sending.waiting).toHaveLength(queue.length);
    }),
    { seed: 20_261_126 },
  );
});
