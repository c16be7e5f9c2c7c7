import type { CommandBody } from './command.ts';
import type { Draft } from './draft.ts';
import { createHook } from './random-events.ts';
import { capture, deposit, extend } from './random-money.ts';
import { claimBlob, openWork, stage } from './random-opening.ts';
import { endIt, renewTurns, workOn } from './random-work.ts';
import type { Random } from './random.ts';
import { rowOf } from './reference-work.ts';
import type { SlotKind } from './slot.ts';
import type { Theme } from './theme.ts';
import type { WorkBody } from './work-command.ts';

const kinds: readonly (SlotKind | undefined)[] = [
  'batch',
  'batch',
  'batch',
  'cache',
  'cache',
  'interaction',
  'store',
  'video',
  'environment',
  'live',
  'document',
  undefined,
];

const slotsPerHistory = 3;

/** What belongs together, in its order: documents need a store, conversations go on, caches are used. */
const families: readonly (readonly (SlotKind | undefined)[])[] = [
  ['store', 'document'],
  ['store', 'document', 'document'],
  ['cache', undefined],
  ['cache', 'interaction', undefined],
  ['cache', 'cache', undefined],
  ['interaction', 'interaction'],
  ['environment', 'interaction'],
];

const drawKinds = (random: Random): readonly (SlotKind | undefined)[] => {
  const family = families[random.int(3 * families.length)] ?? [];
  const others = Array.from({ length: slotsPerHistory }, () => kinds[random.int(kinds.length)]);
  return [...family, ...others].slice(0, slotsPerHistory);
};

const moneyCommands = [deposit, capture, extend, renewTurns, renewTurns, renewTurns] as const;

const fresh = (draft: Draft): CommandBody => {
  const { random, commands, opened, slots, prefix, model } = draft;
  if (commands.length === 0)
    return { kind: 'deposit', accountId: `${prefix}a1`, amount: 30 + random.int(90), reference: 'd0' };
  if (commands.length === 1 && slots.some(({ accountId }) => accountId === `${prefix}a2`))
    return { kind: 'deposit', accountId: `${prefix}a2`, amount: 30 + random.int(90), reference: 'd0' };
  if (opened === 0 || (opened < slots.length && random.int(8) === 0)) return openWork(draft);
  const [before, last] = [commands.at(-2)?.body, commands.at(-1)?.body];
  const isOpen = last?.kind === 'look' && model.operations.get(last.slot.operationId)?.state === 'processing';
  if (last?.kind === 'look' && opened < slots.length && (isOpen || random.int(2) === 0))
    return openWork(draft, last.slot);
  if (last?.kind === 'open' && before?.kind === 'look' && random.int(3) > 0) return endIt(draft, before.slot);
  const roll = random.int(32);
  if (roll === 0) return openWork(draft);
  if (roll < 3 && model.blobs.size < 2) return stage(draft);
  if (roll === 3) return createHook(draft);
  if (roll === 4 && model.blobs.size > 0) return claimBlob(draft);
  if (roll > 4 && roll < 7) return (moneyCommands[random.int(moneyCommands.length)] ?? deposit)(draft);
  const slot = slots[random.int(3) === 0 ? random.int(opened) : opened - 1] ?? slots[0];
  return workOn(draft, slot);
};

/** A worker sends a step again before it goes on, and not after; what claims rows has a name of its own each time. */
const atOnceOnly: ReadonlySet<CommandBody['kind']> = new Set([
  'start',
  'keep',
  'put_back',
  'items',
  'doubt',
  'extend',
  'end_early',
  'changeTtl',
]);
const neverAgain: ReadonlySet<CommandBody['kind']> = new Set(['claim', 'look']);

export const comesAgain: Theme['comesAgain'] = ({ model }, { body }, isLast) => {
  if (body.kind === 'open' && model.removed.has(body.slot.operationId)) return false;
  return !neverAgain.has(body.kind) && (isLast || !atOnceOnly.has(body.kind));
};

/** How long it is until a row can be claimed. */
export const waitUntilDue = ({ model, nowMs }: Draft, { of, id }: Extract<WorkBody, { kind: 'claim' }>): number =>
  Math.max(0, (rowOf(model, of, id)?.due ?? 0) - nowMs);

/** Work that is done later, and what clients do with it meanwhile. */
export const workTheme: Theme = {
  kinds: drawKinds,
  lengthMin: 8,
  lengthMore: 32,
  fresh,
  waitMs: (moment, body, draft) => {
    const roll = moment % 16;
    const more = Math.floor(moment / 16);
    if (body.kind === 'claim') return roll < 12 ? waitUntilDue(draft, body) : more % 8;
    return roll === 0 ? more % 10 : roll < 3 ? 1 : 0;
  },
  goesByModel: true,
  comesAgain,
};
