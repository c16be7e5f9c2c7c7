import type { CapRecord, Decide, Key } from '@tollgate/storage';
import { keySpendId, tokenSpendId } from '../../packages/engine/src/decisions/spend-window.ts';
import type { OpenCommand } from '../../packages/engine/src/decisions/open.ts';
import type { MoneyBody } from './command.ts';
import type { Decisions } from './decisions.ts';
import { tell, type ModelStep } from './model-step.ts';
import type { Slot } from './slot.ts';
import { tellOpen, type Told } from './told.ts';

/** The end of the hour in which every history lies. */
const hourEndMs = 3_600_000;

/** The records that count a key's spending, of both windows that histories have. */
const spendIdsOf = (keyId: string): readonly string[] => [
  keySpendId(keyId, { window: 'total' }, null),
  keySpendId(keyId, { window: 'hour' }, hourEndMs),
];

/** What the token of an operation may spend, as the access of its caller says it. */
const budgetOf = ({ token }: Slot): OpenCommand['budget'] =>
  token && { id: tokenSpendId(token.id), limitMicros: BigInt(token.budget), endsAtMs: hourEndMs };

/** What the commands about an operation name as what counts it; null where its key never has a cap. */
export const spendsOf = ({ capped, keyId, token }: Slot): readonly string[] | null =>
  capped === true ? [...spendIdsOf(keyId), ...(token === undefined ? [] : [tokenSpendId(token.id)])] : null;

const spendKeysOf = (slot: Slot): readonly Key[] => (spendsOf(slot) ?? []).map((id) => ({ table: 'spend', id }));

/** Opens under a cap as a process does: first as it remembers, and where the step says where else it counts, again. */
export const openCapped = (decisions: Decisions, slot: Slot, command: OpenCommand): ModelStep => {
  const budget = budgetOf(slot);
  const first = decisions.open({ ...command, budget });
  const decide: Decide<Told> = (records, nowMs) => {
    const decision = first.decide(records, nowMs);
    const { answer } = decision;
    if (answer.kind !== 'elsewhere') return { ...decision, answer: tellOpen(answer) };
    return tell(decisions.open({ ...command, budget, keySpend: answer.keySpend }), tellOpen).decide(records, nowMs);
  };
  const named = first.keys.filter(({ table }) => table !== 'spend');
  return { keys: () => [...named, ...spendKeysOf(slot)], decide };
};

type Cap = Extract<MoneyBody, { readonly kind: 'cap' }>;

const capOf = ({ amount, window }: Cap): CapRecord | null =>
  amount === null ? null : { micros: String(amount), window, timeZone: 'UTC' };

/** Gives a key a cap, or takes it away. */
export const setCap = (body: Cap): ModelStep => ({
  keys: () => [{ table: 'apiKey', id: body.keyId }],
  decide: (records) => {
    const record = records.get('apiKey', body.keyId);
    if (record === undefined) throw new Error(`no key ${body.keyId}`);
    return {
      writes: [{ kind: 'put', table: 'apiKey', record: { ...record, cap: capOf(body) } }],
      answer: { text: 'set' },
    };
  },
});
