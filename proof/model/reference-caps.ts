import type { Model, ModelOperation } from './model.ts';
import type { Slot } from './slot.ts';

/*
 * What keys may spend, written from the design: what is spent and held under a cap is the sum over the operations that were opened
 * under it, so nothing is counted up or down here.
 */

/** The name under which a key's spending counts now; null for a key without a cap. */
const countedUnder = (model: Model, { keyId }: Slot): string | null => {
  const cap = model.caps.get(keyId);
  if (cap === undefined) return null;
  return cap.window === 'total' ? `${keyId}:total:all` : `${keyId}:hour:3600000`;
};

const operationsUnder = (model: Model, id: string): readonly ModelOperation[] =>
  [...model.operations.values()].filter(({ counted }) => counted === id);

const sumOf = (operations: readonly ModelOperation[], amount: (operation: ModelOperation) => number): number =>
  operations.reduce((sum, operation) => sum + amount(operation), 0);

export const heldUnder = (model: Model, id: string): number => sumOf(operationsUnder(model, id), ({ hold }) => hold);

/** Of operations whose records are gone as well. */
export const spentUnder = (model: Model, id: string): number =>
  (model.spends.get(id)?.gone ?? 0) + sumOf(operationsUnder(model, id), ({ charged }) => charged);

/** Whether the cap that a key has now covers one hold more. */
export const coversHold = (model: Model, slot: Slot, hold: number): boolean => {
  const id = countedUnder(model, slot);
  const amount = model.caps.get(slot.keyId)?.amount;
  return id === null || amount === undefined || spentUnder(model, id) + heldUnder(model, id) + hold <= amount;
};

/** An operation that is opened counts under the cap of now, and the cap is what later extensions keep within. */
export const countOpened = (model: Model, slot: Slot): string | null => {
  const id = countedUnder(model, slot);
  const amount = model.caps.get(slot.keyId)?.amount;
  if (id !== null && amount !== undefined)
    model.spends.set(id, { limit: amount, gone: model.spends.get(id)?.gone ?? 0 });
  return id;
};

/** Whether the cap under which an operation was opened covers so much more of it. */
export const coversMore = (model: Model, { counted }: ModelOperation, more: number): boolean => {
  const limit = counted === null ? undefined : model.spends.get(counted)?.limit;
  return (
    counted === null || limit === undefined || spentUnder(model, counted) + heldUnder(model, counted) + more <= limit
  );
};

/** What was spent stays spent when the record of the operation goes. */
export const keepSpent = (model: Model, { counted, charged }: ModelOperation): void => {
  const known = counted === null ? undefined : model.spends.get(counted);
  if (counted !== null && known !== undefined) model.spends.set(counted, { ...known, gone: known.gone + charged });
};
