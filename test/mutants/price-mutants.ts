import type { Mutant } from './mutant.ts';

const inSuite = (title: string): Mutant['test'] => ({
  project: 'integration',
  file: 'test/gateway/memory.test.ts',
  cases: 'packages/testing/src/gateway/price-cases.ts',
  title,
});

const inTiers = (title: string): Mutant['test'] => ({
  ...inSuite(title),
  cases: 'packages/testing/src/gateway/service-tier-cases.ts',
});

const ofDryRun = (title: string): Mutant['test'] => ({
  project: 'unit',
  file: 'packages/engine/src/administration/price-usage.test.ts',
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
];
