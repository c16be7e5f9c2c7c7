import { engineMutant, suiteCase } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const inSuite = (title: string): Mutant['test'] => suiteCase('price-cases.ts', title);
const inTiers = (title: string): Mutant['test'] => suiteCase('service-tier-cases.ts', title);

const ofDryRun = (title: string): Mutant['test'] => ({
  project: 'unit',
  file: 'packages/engine/src/administration/price-usage.test.ts',
  title,
});

const ofTiers = (title: string): Mutant['test'] => ({
  project: 'unit',
  file: 'packages/engine/src/ledger/service-tier.test.ts',
  title,
});

/** Faults in prices of service tiers, and in pricing past usage by another list. */
export const priceMutants: readonly Mutant[] = [
  {
    name: 'a dry run prices the items of a batch as one call',
    file: 'packages/engine/src/ledger/price-again.ts',
    search: '  if (items === null) return priceUsage(prices, operation);',
    replace: '  if (items === null || items.length > 0) return priceUsage(prices, operation);',
    test: inSuite('prices past usage by its own list as it was charged'),
  },
  {
    name: 'a dry run takes a decided amount for a measured one',
    file: 'packages/engine/src/ledger/price-again.ts',
    search: "if (verdict !== null && verdict.kind !== 'charge_measured') return unpriced('decided');",
    replace: '',
    test: ofDryRun('names what has no price by the list'),
  },
  {
    name: 'a dry run loses what a page had no room for',
    file: 'packages/engine/src/administration/price-usage.ts',
    search: 'next: { account, operation: place } };',
    replace: 'next: null };',
    test: ofDryRun('reads all accounts in pages of a bounded size, each operation once'),
  },
  {
    name: 'a service tier costs what was asked for, whatever was served',
    file: 'packages/engine/src/ledger/service-tier.ts',
    search: 'return smaller(served ?? asked, held);',
    replace: 'return smaller(asked, held);',
    test: inTiers('charges the service tier that was served'),
  },
  {
    name: 'a service tier is charged above its hold',
    file: 'packages/engine/src/ledger/service-tier.ts',
    search: 'return smaller(served ?? asked, held);',
    replace: 'return served ?? asked;',
    test: inTiers('charges the service tier that was served'),
  },
  {
    name: 'what asks to be served later holds less than the standard price',
    file: 'packages/engine/src/ledger/service-tier.ts',
    search: 'return asked === null ? null : larger(asked, standardFactor);',
    replace: 'return asked;',
    test: inTiers('holds for the more expensive of the service tier'),
  },
  {
    name: 'a service tier without a price costs the standard price',
    file: 'packages/engine/src/ledger/service-tier.ts',
    search: '(factors.get(tier) ?? null)',
    replace: '(factors.get(tier) ?? standardFactor)',
    test: ofTiers('a tier that a price list does not sell has no price'),
  },
  engineMutant(
    'what is decided later is charged by the tier that was asked for',
    [
      'decisions/settle.ts',
      'servedTier: evidence.servedTier ?? operation.servedTier,',
      'servedTier: operation.servedTier,',
    ],
    [
      'decisions/settle.test.ts',
      'keeps by which service tier it was served, also where a later try brings no evidence',
    ],
  ),
  {
    name: 'what was asked for as standard costs what was served',
    file: 'packages/engine/src/ledger/service-tier.ts',
    search: '  const { serviceTier, servedTier = null } = tiers;\n  if (isUnasked(serviceTier)) return standardFactor;',
    replace:
      "  const { serviceTier = 'standard', servedTier = null } = { ...tiers, serviceTier: tiers.serviceTier ?? 'standard' };",
    test: ofTiers('and served as'),
  },
];
