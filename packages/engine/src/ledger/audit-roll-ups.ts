import {
  usagePeriodsMax,
  usageRollUps,
  usageSumsMax,
  type EntryRecord,
  type OperationRecord,
  type UsageRollUp,
  type UsageSum,
} from '@tollgate/storage';
import type { Engine } from '../engine.ts';

/** Credits in and out, by the beginning of the period. */
type Amounts = ReadonlyMap<number, { readonly chargedMicros: bigint; readonly correctedMicros: bigint }>;

const nothing = { chargedMicros: 0n, correctedMicros: 0n };

/** What an entry is of the usage of its account; null for what is none, as a deposit. */
const amountsOf = ({ kind, amountMicros, operationId }: EntryRecord): typeof nothing | null => {
  if (kind === 'debit') return { chargedMicros: -amountMicros, correctedMicros: 0n };
  return kind === 'compensation' && operationId !== null ? { chargedMicros: 0n, correctedMicros: amountMicros } : null;
};

const ofEntries = (entries: readonly EntryRecord[], lengthMs: number): Amounts => {
  const sums = new Map<number, typeof nothing>();
  for (const entry of entries) {
    const amounts = amountsOf(entry);
    if (amounts === null) continue;
    const fromMs = Math.floor(entry.createdAtMs / lengthMs) * lengthMs;
    const sum = sums.get(fromMs) ?? nothing;
    sums.set(fromMs, {
      chargedMicros: sum.chargedMicros + amounts.chargedMicros,
      correctedMicros: sum.correctedMicros + amounts.correctedMicros,
    });
  }
  return sums;
};

/** Beyond every time at which something was used. */
const endMs = Date.UTC(10_000, 0, 1);

type Sum = (rollUp: UsageRollUp, bounds: readonly number[]) => Promise<readonly UsageSum[]>;

const sumOfAccount =
  ({ storage }: Pick<Engine, 'storage'>, accountId: string): Sum =>
  (rollUp, bounds) =>
    storage.sumUsage({ rollUp, bounds, where: { accountId }, groupBy: [], after: null, limit: usageSumsMax });

/** Every period of a roll-up in which the account has an entry, and those between. */
const sumPeriods = async (sum: Sum, rollUp: UsageRollUp, fromEntries: Amounts): Promise<readonly UsageSum[]> => {
  const { lengthMs } = usageRollUps[rollUp];
  const starts = [...fromEntries.keys()];
  const lastMs = starts.reduce((last, start) => Math.max(last, start), -1);
  const sums: UsageSum[] = [];
  let fromMs = starts.reduce((first, start) => Math.min(first, start), Infinity);
  while (fromMs <= lastMs) {
    const periods = Math.min((lastMs - fromMs) / lengthMs + 1, usagePeriodsMax);
    const bounds = Array.from({ length: periods + 1 }, (_, at) => fromMs + at * lengthMs);
    sums.push(...(await sum(rollUp, bounds)));
    fromMs = bounds.at(-1) ?? Infinity;
  }
  return sums;
};

const differences = (rollUp: UsageRollUp, sums: readonly UsageSum[], fromEntries: Amounts): readonly string[] => {
  const summed: Amounts = new Map(sums.map((sum) => [sum.fromMs, sum]));
  return [...new Set([...summed.keys(), ...fromEntries.keys()])].flatMap((fromMs) => {
    const [told, kept] = [summed.get(fromMs) ?? nothing, fromEntries.get(fromMs) ?? nothing];
    return told.chargedMicros === kept.chargedMicros && told.correctedMicros === kept.correctedMicros
      ? []
      : [
          `${rollUp} of ${new Date(fromMs).toISOString()}: charged ${told.chargedMicros} corrected ${told.correctedMicros}, ` +
            `entries ${kept.chargedMicros} and ${kept.correctedMicros}`,
        ];
  });
};

const emptySum: UsageSum = { fromMs: 0, values: [], requests: 0n, ...nothing, units: [] };

const totalOf = async (sum: Sum, rollUp: UsageRollUp): Promise<UsageSum> =>
  (await sum(rollUp, [0, endMs]))[0] ?? emptySum;

/** Of a retention that removes operations nothing more can be said: usage has at least those that are kept. */
const checkRequests = (requests: bigint, operations: readonly OperationRecord[]): readonly string[] => {
  const completed = operations.filter(({ state }) => state === 'completed').length;
  return requests < BigInt(completed) ? [`usage has ${requests} requests, the operations ${completed}`] : [];
};

/**
 * Compares the usage of an account with its entries: in all, by hour and by day, both sums of usage with each other, and the number
 * of requests with the operations. Returns what differs, in words. A wallet of the host's has its entries elsewhere.
 */
export const auditRollUps = async (
  engine: Pick<Engine, 'storage'>,
  accountId: string,
  facts: { readonly entries: readonly EntryRecord[]; readonly operations: readonly OperationRecord[] },
  isHosted: boolean,
): Promise<readonly string[]> => {
  const sum = sumOfAccount(engine, accountId);
  const hours = await totalOf(sum, 'usageHour');
  const found = [...checkRequests(hours.requests, facts.operations)];
  if (isHosted) return found;
  const days = await totalOf(sum, 'usageDay');
  // Requests that cost nothing may end between the looks.
  const later = await totalOf(sum, 'usageHour');
  if (days.requests < hours.requests || days.requests > later.requests)
    found.push(`requests by hour ${hours.requests}, by day ${days.requests}`);
  const whole = ofEntries(facts.entries, endMs);
  found.push(...differences('usageHour', [hours], whole));
  found.push(...differences('usageDay', [days], whole));
  for (const rollUp of ['usageHour', 'usageDay'] as const) {
    const fromEntries = ofEntries(facts.entries, usageRollUps[rollUp].lengthMs);
    found.push(...differences(rollUp, await sumPeriods(sum, rollUp, fromEntries), fromEntries));
  }
  return found;
};
