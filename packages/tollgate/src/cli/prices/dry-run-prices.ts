import {
  creditsFromMicros,
  decimalFromMicros,
  type Administration,
  type PricedPlace,
  type PricedUsageRow,
} from '@tollgate/engine';
import { exitCodes, printJson, requireOption, textOption, UsageError, type CommandInput } from '../command.ts';
import { groupOption } from '../group-option.ts';
import { timeOption } from '../list-pages.ts';
import { withAdministration } from '../open-administration.ts';
import { cells } from '../run-actions.ts';
import { complainOfFaults, readTariffFile } from './check-prices.ts';

const dimensions = { account: 'accountId', plan: 'plan', model: 'model' } as const;
type Dimension = keyof typeof dimensions;

type Unpriced = PricedUsageRow['unpriced'][number];

/** What one group cost and would cost. */
interface Sum {
  readonly values: readonly (string | null)[];
  readonly requests: number;
  readonly chargedMicros: bigint;
  readonly pricedMicros: bigint;
  readonly unpriced: readonly Unpriced[];
}

const addUnpriced = (sum: readonly Unpriced[], more: readonly Unpriced[]): readonly Unpriced[] => {
  const byReason = new Map(sum.map((each) => [each.reason, each]));
  for (const { reason, requests, chargedMicros } of more) {
    const before = byReason.get(reason) ?? { requests: 0, chargedMicros: 0n };
    const both = { requests: before.requests + requests, chargedMicros: before.chargedMicros + chargedMicros };
    byReason.set(reason, { reason, ...both });
  }
  return [...byReason.values()];
};

const addTo = (sum: Sum, row: Omit<Sum, 'values'>): Sum => ({
  values: sum.values,
  requests: sum.requests + row.requests,
  chargedMicros: sum.chargedMicros + row.chargedMicros,
  pricedMicros: sum.pricedMicros + row.pricedMicros,
  unpriced: addUnpriced(sum.unpriced, row.unpriced),
});

const nothing = (values: Sum['values']): Sum => ({
  values,
  requests: 0,
  chargedMicros: 0n,
  pricedMicros: 0n,
  unpriced: [],
});

type Query = Omit<Parameters<Administration['priceUsage']>[0], 'after'>;

/** All pages, added up by each of several groupings. */
const sumPages = async (
  admin: Administration,
  query: Query,
  groupings: readonly (readonly Dimension[])[],
): Promise<readonly (readonly Sum[])[]> => {
  const sums = groupings.map((groups) => ({ groups, byKey: new Map<string, Sum>() }));
  let after: PricedPlace | undefined;
  do {
    const { items, next } = await admin.priceUsage({ ...query, after });
    for (const row of items)
      for (const { groups, byKey } of sums) {
        const values = groups.map((group) => row[dimensions[group]]);
        const key = JSON.stringify(values);
        byKey.set(key, addTo(byKey.get(key) ?? nothing(values), row));
      }
    after = next ?? undefined;
  } while (after !== undefined);
  return sums.map(({ byKey }) =>
    [...byKey.values()].toSorted((one, other) => Number(other.chargedMicros - one.chargedMicros)),
  );
};

/** How much more or less, in percent of what was charged. */
const changeOf = ({ chargedMicros, pricedMicros }: Sum): string => {
  if (chargedMicros === 0n) return '-';
  const tenths = ((pricedMicros - chargedMicros) * 1_000n) / chargedMicros;
  return `${tenths < 0n ? '' : '+'}${(Number(tenths) / 10).toFixed(1)}%`;
};

const reasons: Readonly<Record<Unpriced['reason'], string>> = {
  no_price: 'the list has no price for what they used',
  beyond_amounts: 'their price is beyond every amount',
  decided: 'their amounts were decided, not measured',
  no_usage: 'nothing is on record of what they used',
};

const lineOf = (sum: Sum): string =>
  cells(
    ...sum.values,
    `${sum.requests} requests`,
    `charged ${creditsFromMicros(sum.chargedMicros)}`,
    `priced ${creditsFromMicros(sum.pricedMicros)}`,
    changeOf(sum),
  );

const print = ({ world }: CommandInput, sums: readonly Sum[]): void => {
  const total = sums.reduce((all, sum) => addTo(all, sum), nothing(['total']));
  for (const sum of sums) world.print(lineOf(sum));
  world.print(lineOf(total));
  for (const { reason, requests, chargedMicros } of total.unpriced)
    world.print(`${requests} requests, charged ${creditsFromMicros(chargedMicros)}, are not in it: ${reasons[reason]}`);
};

const wireOf =
  (groups: readonly Dimension[]) =>
  ({ values, ...sum }: Sum) => ({
    ...Object.fromEntries(groups.map((group, at) => [group, values[at] ?? null])),
    requests: sum.requests,
    chargedCredits: decimalFromMicros(sum.chargedMicros),
    pricedCredits: decimalFromMicros(sum.pricedMicros),
    unpriced: sum.unpriced.map(({ reason, requests, chargedMicros }) => ({
      reason,
      requests,
      chargedCredits: decimalFromMicros(chargedMicros),
    })),
  });

type Tariff = Query['tariff'];

/** Says on the other output which plans of accounts the list does not have: they are priced as without a plan. */
const complainOfPlans = ({ world }: CommandInput, { plans = {} }: Tariff, byPlan: readonly Sum[]): void => {
  for (const {
    values: [plan],
    requests,
  } of byPlan)
    if (typeof plan === 'string' && !Object.hasOwn(plans, plan))
      world.complain(`the list has no plan '${plan}': ${requests} requests are priced as without a plan`);
};

const needTime = (input: CommandInput, name: string): number => {
  requireOption(input, name);
  return timeOption(input, name) ?? 0;
};

/** Prices what was used by another list, beside what was charged, and changes nothing. The database is opened for a sound list only. */
export const dryRunPricesCommand = (input: CommandInput, file: string): number | Promise<number> => {
  const groups = groupOption(input, dimensions, 'model');
  const range = { fromMs: needTime(input, 'from'), untilMs: needTime(input, 'until') };
  if (range.untilMs <= range.fromMs) throw new UsageError('--until is not after --from');
  const read = readTariffFile(file, { ownCatalog: true });
  if ('faults' in read) return complainOfFaults(input, file, read.faults);
  const query = { tariff: read.tariff, ...range, accountId: textOption(input, 'account') };
  return withAdministration(input, async (admin) => {
    const [sums = [], byPlan = []] = await sumPages(admin, query, [groups, ['plan']]);
    complainOfPlans(input, read.tariff, byPlan);
    if (input.options['json'] === true) printJson(input.world, sums.map(wireOf(groups)));
    else print(input, sums);
    return exitCodes.done;
  });
};
