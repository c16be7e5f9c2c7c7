import type { Write } from '@tollgate/storage';
import type { Book } from './book.ts';
import type { Command, CommandBody, Slot } from './command.ts';
import type { RecordMap } from './record-map.ts';
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
}

/** The first word of an answer says what became of the command. */
export const outcomeOf = (text: string): string => {
  const end = text.indexOf(' ');
  return end < 0 ? text : text.slice(0, end);
};

/** The operations that a command may write. */
export const slotsOf = (body: CommandBody): readonly Slot[] => {
  switch (body.kind) {
    case 'renew':
      return body.slots;
    case 'deposit':
    case 'compensate':
    case 'access':
    case 'price':
      return [];
    case 'open':
    case 'extend':
    case 'capture':
    case 'settle':
    case 'fail':
    case 'doubt':
    case 'resolve':
    case 'purge':
      return [body.slot];
  }
};

/** The wallet that a command may write, or null. */
export const walletIdOf = (body: CommandBody): string | null => {
  switch (body.kind) {
    case 'deposit':
    case 'compensate':
      return body.accountId;
    case 'open':
    case 'extend':
    case 'capture':
    case 'settle':
    case 'fail':
    case 'resolve':
      return body.slot.accountId;
    case 'doubt':
    case 'renew':
    case 'purge':
    case 'access':
    case 'price':
      return null;
  }
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
  'amount_needed',
  'repeated',
  'too_large',
  'kept',
]);

/** Whether the answer says that nothing was done. */
export const isRefusal = (body: CommandBody, outcome: string): boolean =>
  refusals.has(outcome) || (outcome === 'captured' && body.kind !== 'capture');

const effects: ReadonlySet<string> = new Set([
  'started',
  'extended',
  'captured',
  'settled',
  'failed',
  'uncertain',
  'done',
]);

/** Whether the answer says that the command has done its work for good. */
export const isEffect = (body: CommandBody, outcome: string): boolean =>
  effects.has(outcome) && !isRefusal(body, outcome);
