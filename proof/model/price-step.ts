import { judgeHold } from '../../packages/engine/src/ledger/hold.ts';
import type { ModelTariff } from '../../packages/engine/src/ledger/model-prices.ts';
import type { TariffInput } from '../../packages/engine/src/ledger/tariff-input.ts';
import { parseTariff, type PriceQuery, type Tariff } from '../../packages/engine/src/ledger/tariff.ts';
import type { MoneyBody, UsedUnits } from './command.ts';
import type { Decisions } from './decisions.ts';
import type { ModelStep } from './model-step.ts';

type Of<K extends MoneyBody['kind']> = Extract<MoneyBody, { readonly kind: K }>;

const perMillion = { input_text_tokens: '0.150001', cached_input_tokens: '0.015', output_text_tokens: '0.6' };

/** Prices of input with more than 20 tokens, read from a cache or not; reading costs what it costs in a short request. */
const tiers = [{ above: 20, perMillion: { input_text_tokens: '0.300001', output_text_tokens: '0.9' } }];

const { models } = parseTariff({ version: 't1', models: { m: { perMillion }, tiered: { perMillion, tiers } } });
const tariff: ModelTariff | undefined = models.get('m');
const tieredTariff: ModelTariff | undefined = models.get('tiered');

const quantitiesOf = ({ input, cached, output }: UsedUnits) =>
  [
    { unit: 'input_text_tokens', quantity: input },
    { unit: 'cached_input_tokens', quantity: cached },
    { unit: 'output_text_tokens', quantity: output },
  ] as const;

/** What units cost without any fee. */
export const priceStep = (decisions: Decisions, { used, rounding }: Of<'price'>): ModelStep => {
  if (tariff === undefined) throw new Error('the tariff of the histories was not parsed');
  const text = String(decisions.price(tariff, quantitiesOf(used), rounding));
  return { keys: () => [], decide: () => ({ writes: [], answer: { text } }) };
};

/** What an operation costs. */
export const chargeStep = (decisions: Decisions, { used, rounding, minimum, fee, tiered }: Of<'charge'>): ModelStep => {
  const list = tiered ? tieredTariff : tariff;
  if (list === undefined) throw new Error('the tariff of the histories was not parsed');
  const prices = { ...list, rounding, chargeMinimumMicros: BigInt(minimum), requestFeeMicros: BigInt(fee) };
  const charge = decisions.charge(prices, quantitiesOf(used));
  const text = charge === null ? 'none' : `${charge.micros} ${charge.fractionPicos}`;
  return { keys: () => [], decide: () => ({ writes: [], answer: { text } }) };
};

const layered: TariffInput = {
  version: 'layers',
  serviceTiers: { flex: '0.5', priority: '2' },
  models: {
    m: {
      perMillion,
      tiers,
      requestFee: '0.000003',
      chargeMinimum: '0.000002',
      batch: { factor: '0.5' },
      providers: { own: { perMillion: { input_text_tokens: '0.100003' } } },
    },
  },
  plans: {
    cheap: { factor: '0.9' },
    agreed: { factor: '1.3', models: { '*': { perMillion: { input_text_tokens: '0.2' } } } },
  },
  customers: {
    buyer: { factor: '0.7', models: { m: { perMillion: { output_text_tokens: '0.111111' }, requestFee: '0' } } },
  },
};

const lists: readonly [plain: Tariff, marked: Tariff] = [
  parseTariff(layered),
  parseTariff({ ...layered, version: 'marked', markUp: '1.1' }),
];

const queryOf = ({ plan, isBuyer, isBatch, asked, served }: Of<'sell'>): PriceQuery => ({
  model: 'm',
  kind: isBatch ? 'batch' : 'chat',
  accountId: isBuyer ? 'buyer' : 'another',
  plan,
  serviceTier: asked,
  servedTier: served,
});

/** Two items that may have run and one that certainly did not. */
const items = (['completed', 'unknown', 'failed'] as const).map((state) => ({ state, attempts: [] }));

/** Whether the sum of two equal items costs what both cost, as if each were said by itself. */
const areItemsAlike = (
  { priceAllItems }: Decisions,
  prices: ModelTariff,
  quantities: ReturnType<typeof quantitiesOf>,
): boolean => {
  const one = priceAllItems(prices, items.slice(0, 1), quantities);
  const sum = quantities.map(({ unit, quantity }) => ({ unit, quantity: 2 * quantity }));
  return one !== null && priceAllItems(prices, items, sum) === 2n * one;
};

/** What an operation costs by all layers of a list, and whether a hold for all of it, and one that was raised for its input, cover that. */
export const sellStep = (decisions: Decisions, body: Of<'sell'>): ModelStep => {
  const list = lists[body.isMarkedUp ? 1 : 0];
  const query = queryOf(body);
  const quantities = quantitiesOf(body.used);
  const prices = decisions.findPrices(list, query);
  const charge = prices === null ? null : decisions.charge(prices, quantities, body.provider);
  const holdPrices = decisions.findHoldPrices(list, query);
  const hold = judgeHold(holdPrices, quantities);
  const raised = decisions.raiseHold(holdPrices, quantities.slice(1), quantities.slice(0, 1)) ?? 0n;
  if (prices === null || charge === null || hold.kind !== 'amount')
    throw new Error('the list of the histories has every price');
  const due = charge.micros + (charge.fractionPicos > 0 ? 1n : 0n);
  const least = raised < hold.micros ? raised : hold.micros;
  const unlike = areItemsAlike(decisions, prices, quantities) ? '' : ' and of another price as items';
  const text = `${charge.micros} ${charge.fractionPicos} ${least >= due ? 'covered' : `short of ${least}`}${unlike}`;
  return { keys: () => [], decide: () => ({ writes: [], answer: { text } }) };
};
