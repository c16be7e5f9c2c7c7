import type { Model, ModelOperation } from './model.ts';
import type { Slot } from './slot.ts';

/*
 * What keys and tokens may spend, written from the design: what is spent and held under a cap or a budget is the sum over the
 * operations that were opened under it, so nothing is counted up or down here.
 */

/** Something that bounds an opening, and the name under which it counts. */
interface Bound {
  readonly id: string;
  readonly amount: number;
}

const capOf = (model: Model, { keyId }: Slot): readonly Bound[] => {
  const cap = model.caps.get(keyId);
  if (cap === undefined) return [];
  return [{ id: cap.window === 'total' ? `${keyId}:total:all` : `${keyId}:hour:3600000`, amount: cap.amount }];
};

/** The cap that its key has now, and the budget of the token that it comes by: each bounds it by itself. */
const boundsOf = (model: Model, slot: Slot): readonly Bound[] => [
  ...capOf(model, slot),
  ...(slot.token === undefined ? [] : [{ id: `token:${slot.token.id}`, amount: slot.token.budget }]),
];

const operationsUnder = (model: Model, id: string): readonly ModelOperation[] =>
  [...model.operations.values()].filter(({ counted }) => counted.includes(id));

const sumOf = (operations: readonly ModelOperation[], amount: (operation: ModelOperation) => number): number =>
  operations.reduce((sum, operation) => sum + amount(operation), 0);

export const heldUnder = (model: Model, id: string): number => sumOf(operationsUnder(model, id), ({ hold }) => hold);

/** Of operations whose records are gone as well. */
export const spentUnder = (model: Model, id: string): number =>
  (model.spends.get(id)?.gone ?? 0) + sumOf(operationsUnder(model, id), ({ charged }) => charged);

const hasRoom = (model: Model, { id, amount }: Bound, more: number): boolean =>
  spentUnder(model, id) + heldUnder(model, id) + more <= amount;

/** Whether all that bounds an opening now covers one hold more. */
export const coversHold = (model: Model, slot: Slot, hold: number): boolean =>
  boundsOf(model, slot).every((bound) => hasRoom(model, bound, hold));

/** An operation that is opened counts under the bounds of now, and these are what later extensions keep within. */
export const countOpened = (model: Model, slot: Slot): readonly string[] =>
  boundsOf(model, slot).map(({ id, amount }) => {
    model.spends.set(id, { limit: amount, gone: model.spends.get(id)?.gone ?? 0 });
    return id;
  });

/** Whether the bounds under which an operation was opened cover so much more of it. */
export const coversMore = (model: Model, { counted }: ModelOperation, more: number): boolean =>
  counted.every((id) => {
    const amount = model.spends.get(id)?.limit;
    return amount === undefined || hasRoom(model, { id, amount }, more);
  });

/** What was spent stays spent when the record of the operation goes. */
export const keepSpent = (model: Model, { counted, charged }: ModelOperation): void => {
  for (const id of counted) {
    const known = model.spends.get(id);
    if (known !== undefined) model.spends.set(id, { ...known, gone: known.gone + charged });
  }
};
