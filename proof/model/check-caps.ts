import type { OperationRecord, SpendRecord } from '@tollgate/storage';
import type { Model } from './model.ts';
import { outcomeOf, slotsOf, type ObservedStep } from './observed-step.ts';
import { heldUnder, spentUnder } from './reference-caps.ts';
import type { Slot } from './slot.ts';
import { spendsOf } from './cap-step.ts';
import { found, type Found } from './violation.ts';

const operationsUnder = ({ map }: ObservedStep, id: string): readonly OperationRecord[] =>
  // The table of operations holds nothing else.
  [...(map.tables.get('operation')?.values() ?? [])]
    .map((record) => record as OperationRecord)
    .filter(({ spends }) => spends?.includes(id) === true);

const checkSums = (step: ObservedStep, { id, heldMicros }: SpendRecord): Found => {
  const held = operationsUnder(step, id).reduce((sum, { holdMicros }) => sum + holdMicros, 0n);
  return held === heldMicros ? null : found('spends_sum_to_holds', `${id}: holds ${held}, counted ${heldMicros}`);
};

/** What an operation may take under the name that counts it: the budget of its token, or the cap that its key has now. */
const limitUnder = ({ map }: ObservedStep, { keyId, token }: Slot, id: string): bigint | null => {
  if (token !== undefined && id.endsWith(token.id)) return BigInt(token.budget);
  const cap = map.records.get('apiKey', keyId)?.cap ?? null;
  return cap !== null && id.includes(`:${cap.window}:`) ? BigInt(cap.micros) : null;
};

/** What an opening takes, with all that operations have spent and hold, is within the cap of its key and the budget of its token. */
const checkLimits = (step: ObservedStep, slot: Slot): Found => {
  for (const id of step.map.records.get('operation', slot.operationId)?.spends ?? []) {
    const limit = limitUnder(step, slot, id);
    const used = operationsUnder(step, id).reduce(
      (sum, { holdMicros, chargedMicros }) => sum + holdMicros + chargedMicros,
      0n,
    );
    if (limit !== null && used > limit) return found('cap_not_exceeded', `${id}: ${used} of ${limit}`);
  }
  return null;
};

/** A repeated opening takes nothing. */
const takesMore = ({ command, told, writes }: ObservedStep): boolean =>
  command.body.kind === 'open' && outcomeOf(told.text) === 'started' && writes.length > 0;

const checkSlot = (step: ObservedStep, slot: Slot): Found => {
  for (const id of spendsOf(slot) ?? []) {
    const record = step.map.records.get('spend', id);
    const wrong = record === undefined ? null : checkSums(step, record);
    if (wrong !== null) return wrong;
  }
  return takesMore(step) ? checkLimits(step, slot) : null;
};

/** Looks at what counts the spending of the keys that a step is about, after it was applied. */
export const checkCaps = (step: ObservedStep): Found => {
  for (const slot of slotsOf(step.command.body)) {
    const wrong = slot.capped === true ? checkSlot(step, slot) : null;
    if (wrong !== null) return wrong;
  }
  return null;
};

/** What is counted otherwise than the model says, or null. */
export const differingSpend = (model: Model, id: string, record: SpendRecord | undefined): string | null => {
  const known = model.spends.get(id);
  const expected = known === undefined ? '' : [known.limit, spentUnder(model, id), heldUnder(model, id)].join();
  const stored = record === undefined ? '' : [record.limitMicros, record.spentMicros, record.heldMicros].join();
  return stored === expected ? null : `spend ${id}: ${stored} for ${expected}`;
};

/** Compares them with the reference model. */
export const checkSpends = ({ command, map }: ObservedStep, model: Model): Found => {
  for (const slot of slotsOf(command.body))
    for (const id of spendsOf(slot) ?? []) {
      const difference = differingSpend(model, id, map.records.get('spend', id));
      if (difference !== null) return found('records_as_the_model', difference);
    }
  return null;
};
