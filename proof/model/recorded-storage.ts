import type { LedgerCall, LedgerReply, RecordedCall } from '@tollgate/testing/storage';
import type { Command, CommandBody } from './command.ts';
import { shippingDecisions } from './decisions.ts';
import { createMemo } from './memo.ts';
import type { StoredWorld } from './run-stored.ts';
import { toStep } from './to-step.ts';

/** The commands that the history checker knows. */
type RecordedBody = Extract<
  CommandBody,
  { readonly kind: 'open' | 'extend' | 'capture' | 'settle' | 'fail' | 'deposit' | 'compensate' }
>;

const callOf = (body: RecordedBody): LedgerCall => {
  switch (body.kind) {
    case 'open': {
      const { operationId, projectId, identity } = body.slot;
      const scoped = identity === null ? null : `${projectId}:${identity}`;
      return {
        kind: 'open',
        operationId,
        identity: scoped,
        fingerprint: body.fingerprint,
        holdMicros: BigInt(body.hold),
      };
    }
    case 'extend':
      return { kind: 'extend', operationId: body.slot.operationId, holdMicros: BigInt(body.hold) };
    case 'capture': {
      const { sequence, amount } = body;
      return { kind: 'capture', operationId: body.slot.operationId, sequence, amountMicros: BigInt(amount) };
    }
    case 'settle': {
      const absorbs = body.overrun === 'absorb';
      const { operationId } = body.slot;
      const measuredMicros = BigInt(body.measured);
      return { kind: 'settle', operationId, measuredMicros, fractionPicos: body.fraction, absorbs };
    }
    case 'fail':
      return { kind: 'fail', operationId: body.slot.operationId };
    case 'deposit':
    case 'compensate':
      return { kind: 'deposit', reference: body.reference, amountMicros: BigInt(body.amount) };
  }
};

/** The answer in the checker's words, out of the line that the model would say. */
const replyOf = (body: RecordedBody, text: string): LedgerReply => {
  const [kind = '', first = '', second = ''] = text.split(' ');
  switch (kind) {
    case 'started':
    case 'extended':
    case 'settled':
    case 'pending':
    case 'failed':
      return { kind, walletSeq: Number(first) };
    case 'captured':
      return body.kind === 'capture' ? { kind, walletSeq: Number(first) } : { kind: 'refused' };
    case 'done':
    case 'repeated':
      return { kind, walletSeq: Number(first), balanceMicros: BigInt(second) };
    case 'known':
    case 'conflict':
      return first === '' ? { kind: 'refused' } : { kind, operationId: first };
    case 'insufficient':
      if (body.kind === 'open') return { kind, walletSeq: Number(second), availableMicros: BigInt(first) };
      return body.kind === 'capture' ? { kind: 'refused' } : { kind, walletSeq: Number(first) };
    case 'ended':
    case 'missing':
      return { kind };
    default:
      return { kind: 'refused' };
  }
};

const accountOf = (body: RecordedBody): string => ('slot' in body ? body.slot.accountId : body.accountId);

/** A clock of events, which is enough within one process. */
const countEvents = (): (() => number) => {
  let moment = 0;
  return () => {
    moment += 1;
    return moment;
  };
};

/** Sends commands through storages and writes down when each was sent and answered, by a clock that all senders share. */
export const createRecorder = (doors: readonly StoredWorld['storage'][], tick = countEvents()) => {
  const calls: RecordedCall[] = [];
  return {
    calls,
    send: async (body: RecordedBody, door: number): Promise<LedgerReply> => {
      const command: Command = { body, waitMs: 0, repeatOf: null };
      const { keys, decide } = toStep(shippingDecisions, createMemo(), command);
      const startedAt = tick();
      const { text } = (await doors[door % doors.length]?.transact(keys(), decide)) ?? { text: '' };
      const reply = replyOf(body, text);
      calls.push({ accountId: accountOf(body), call: callOf(body), reply, startedAt, endedAt: tick() });
      return reply;
    },
  };
};
