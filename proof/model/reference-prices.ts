import type { MoneyBody, UsedUnits } from './command.ts';

/*
 * What operations cost, written from the design: the price of each unit goes through the layers by itself, so no list of prices is
 * laid over another here.
 */

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

const picos = { input: 150_001n, cached: 15_000n, output: 600_000n };
const million = 1_000_000;

/** What units cost without any fee. */
export const price = ({ input, cached, output }: UsedUnits, rounding: 'up' | 'half_up'): string => {
  const total = picos.input * BigInt(input) + picos.cached * BigInt(cached) + picos.output * BigInt(output);
  const [whole, rest] = [total / 1_000_000n, total % 1_000_000n];
  const up = rounding === 'up' ? rest > 0n : rest >= 500_000n;
  return `${up ? whole + 1n : whole}`;
};

/** What an operation costs. */
export const charge = ({ used, rounding, minimum, fee, tiered }: Of<'charge'>): string => {
  const { input, cached, output } = used;
  const isLong = tiered && input + cached > 20;
  const inputPicos = isLong ? 300_001 : Number(picos.input);
  const outputPicos = isLong ? 900_000 : Number(picos.output);
  const exact = input * inputPicos + cached * Number(picos.cached) + output * outputPicos + fee * million;
  const due = input + cached + output > 0 ? Math.max(exact, minimum * million) : 0;
  const rest = due % million;
  const whole = (due - rest) / million;
  if (rounding === 'carry') return `${whole} ${rest}`;
  return `${whole + ((rounding === 'up' ? rest > 0 : rest >= million / 2) ? 1 : 0)} 0`;
};

type Unit = keyof UsedUnits;
type Factor = readonly [part: number, of: number];

/** A product of whole numbers, rounded up. */
const times = (amount: number, [part, of]: Factor): number => Math.floor((amount * part + of - 1) / of);

/** What the list has for a unit: by the length of the input, else by who carried it out, else for every call. */
const listed = (unit: Unit, isLong: boolean, provider: string | null): number => {
  if (isLong && unit === 'input') return 300_001;
  if (isLong && unit === 'output') return 900_000;
  return provider === 'own' && unit === 'input' ? 100_003 : Number(picos[unit]);
};

const planFactors: Readonly<Record<string, Factor>> = { cheap: [9, 10], agreed: [13, 10] };

/** An amount after the mark-up and the factor of the plan. */
const afterPlan = (amount: number, { isMarkedUp, plan }: Of<'sell'>): number => {
  const marked = isMarkedUp ? times(amount, [11, 10]) : amount;
  const factor = plan === null ? undefined : planFactors[plan];
  return factor === undefined ? marked : times(marked, factor);
};

const tierFactors: Readonly<Record<string, Factor>> = { flex: [1, 2], standard: [1, 1], priority: [2, 1] };

/** What of the standard price is charged: of the tier that was served, never more than was held. */
const tierFactor = ({ asked, served }: Of<'sell'>): Factor => {
  if (asked === null) return [1, 1];
  // A call that asked to wait holds the standard price.
  if (asked === 'flex' && served === 'priority') return [1, 1];
  return tierFactors[served ?? asked] ?? [1, 1];
};

const priceOfUnit = (unit: Unit, body: Of<'sell'>, isLong: boolean): number => {
  const planned = afterPlan(listed(unit, isLong, body.provider), body);
  const agreed = body.plan === 'agreed' && unit === 'input' ? 200_000 : planned;
  const bought = body.isBuyer ? (unit === 'output' ? 111_111 : times(agreed, [7, 10])) : agreed;
  const batched = body.isBatch ? times(bought, [1, 2]) : bought;
  return times(batched, tierFactor(body));
};

/** What an operation costs by all layers; its hold covers that, whatever was served. */
export const sell = (body: Of<'sell'>): string => {
  const { input, cached, output } = body.used;
  const isLong = input + cached > 20;
  const units = (['input', 'cached', 'output'] as const).reduce(
    (sum, unit) => sum + body.used[unit] * priceOfUnit(unit, body, isLong),
    0,
  );
  const fee = body.isBuyer ? 0 : afterPlan(3, body);
  const due = input + cached + output > 0 ? Math.max(units + fee * million, 2 * million) : 0;
  const rest = due % million;
  return `${(due - rest) / million} ${rest} covered`;
};
