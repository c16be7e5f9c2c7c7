import { unitFacts, usageUnits, type Usage, type UsageUnit } from '@tollgate/provider';

/** What was used in one window: in micros of the host's currency, and by unit. */
export interface BudgetCount {
  readonly micros: number;
  readonly units: Readonly<Partial<Record<UsageUnit, number>>>;
}

/**
 * What the host pays, in its currency for a million of a unit, by the upstream's name of the model; `*` is for every other model. A
 * unit without a cost costs as much as the coarser one: cached input as input, thoughts as output text. What has none either costs
 * nothing.
 */
export type BudgetCosts = Readonly<Record<string, Readonly<Partial<Record<UsageUnit, number>>>>>;

export const emptyCount: BudgetCount = { micros: 0, units: {} };

const uncached: ReadonlyMap<UsageUnit, UsageUnit> = new Map(
  usageUnits.flatMap((unit) => {
    const { cachedAs } = unitFacts[unit];
    return cachedAs === null ? [] : [[cachedAs, unit] as const];
  }),
);

/** The units whose cost counts, the finest first. */
const costUnits = (unit: UsageUnit): readonly UsageUnit[] => {
  const { part, isTokens } = unitFacts[unit];
  const whole = uncached.get(unit);
  const own = whole === undefined ? [unit] : [unit, whole];
  if (!isTokens) return own;
  switch (part) {
    case 'prompt':
    case 'tool_results':
      return [...own, 'input_text_tokens'];
    case 'response':
    case 'thoughts':
      return [...own, 'output_text_tokens'];
    case 'other':
      return own;
  }
};

const microsOf = (usage: readonly Usage[], costs: BudgetCosts, upstreamModel: string): number => {
  const row = (Object.hasOwn(costs, upstreamModel) ? costs[upstreamModel] : costs['*']) ?? {};
  return usage.reduce((sum, { unit, quantity }) => {
    // A currency unit for a million is a micro for one.
    const cost =
      costUnits(unit)
        .map((each) => row[each])
        .find((known) => known !== undefined) ?? 0;
    return sum + quantity * cost;
  }, 0);
};

const isCounted = ({ quantity }: Usage): boolean => Number.isSafeInteger(quantity) && quantity > 0;

/** What a measured usage adds. */
export const countOf = (usage: readonly Usage[], costs: BudgetCosts, upstreamModel: string): BudgetCount => {
  const counted = usage.filter(isCounted);
  const units = counted.map(({ unit, quantity }): BudgetCount => ({ micros: 0, units: { [unit]: quantity } }));
  return units.reduce(addCounts, { micros: microsOf(counted, costs, upstreamModel), units: {} });
};

export const addCounts = (a: BudgetCount, b: BudgetCount): BudgetCount => {
  const units: Partial<Record<UsageUnit, number>> = { ...a.units };
  for (const unit of usageUnits) {
    const more = b.units[unit];
    if (more !== undefined) units[unit] = (units[unit] ?? 0) + more;
  }
  return { micros: a.micros + b.micros, units };
};

export const isEmptyCount = ({ micros, units }: BudgetCount): boolean =>
  micros === 0 && Object.values(units).every((quantity) => quantity === 0);
