import type { Write } from '@tollgate/storage';
import type { Book } from './book.ts';
import type { Command, CommandBody } from './command.ts';
import type { RecordMap } from './record-map.ts';
import type { Slot } from './slot.ts';
import type { Told } from './told.ts';

/** A step that was decided and, when the first checks look at it, not yet applied. */
export interface ObservedStep {
  readonly at: number;
  readonly command: Command;
  /** The place of the command itself, or where it was first sent. */
  readonly root: number;
  readonly told: Told;
  readonly writes: readonly Write[];
  readonly map: RecordMap;
  readonly book: Book;
  readonly nowMs: number;
}

/** The first word of an answer says what became of the command. */
export const outcomeOf = (text: string): string => {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
};

/** The operations that a command may write. */
export const slotsOf = (body: CommandBody): readonly Slot[] => {
  if (body.kind === 'renew') return body.leases.map(({ slot }) => slot);
  if (body.kind === 'claim') return body.of === 'operation' && body.slot !== null ? [body.slot] : [];
  return 'slot' in body && body.slot !== null ? [body.slot] : [];
};

const toWallet: ReadonlySet<CommandBody['kind']> = new Set([
  'open',
  'extend',
  'capture',
  'settle',
  'fail',
  'resolve',
  'retry',
  'cancel',
  'changeTtl',
  'purge',
]);

const fundsCommands: ReadonlySet<CommandBody['kind']> = new Set(['deposit', 'compensate', 'pay', 'collect']);

/** The wallet that a command may write, or null. */
export const walletIdOf = (body: CommandBody): string | null => {
  if (fundsCommands.has(body.kind) && 'accountId' in body) return body.accountId;
  return toWallet.has(body.kind) && 'slot' in body && body.slot !== null ? body.slot.accountId : null;
};

const refusals: ReadonlySet<string> = new Set([
  'refused',
  'known',
  'conflict',
  'insufficient',
  'ended',
  'missing',
  'alive',
  'not_uncertain',
  'not_pending',
  'amount_needed',
  'usage_needed',
  'decided_otherwise',
  'repeated',
  'too_large',
  'lost',
  'unchanged',
  'busy',
  'stale',
  'in_use',
  'not_due',
  'not_looked',
  'not_started',
  'none',
]);

/** Whether the answer says that nothing was done. */
export const isRefusal = (body: CommandBody, outcome: string): boolean =>
  (refusals.has(outcome) && body.kind !== 'renew') ||
  (outcome === 'captured' && body.kind !== 'capture') ||
  // A document stays as it was completed, and only its row is noted not to be due.
  (outcome === 'kept' && body.kind === 'purge' && body.slot.kind !== 'document');

const effects: ReadonlySet<string> = new Set([
  'started',
  'extended',
  'captured',
  'settled',
  'failed',
  'uncertain',
  'done',
  'kept',
  'put_back',
  'dropped',
  'cancelling',
  'deleted',
  'expired',
  'cleared',
  'faded',
  'created',
  'gone',
  'told',
  'occurred',
]);

/** Whether the answer says that the command has done its work for good. */
export const isEffect = (body: CommandBody, outcome: string): boolean =>
  effects.has(outcome) && !isRefusal(body, outcome) && body.kind !== 'purge';
