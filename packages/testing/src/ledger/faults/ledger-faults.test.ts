import type { IdentityClaim } from '@tollgate/storage';
import { describe, expect, test } from 'vitest';
import { createMemoryIdentities } from '../../fakes/memory-identities.ts';
import { createMemoryLedger } from '../../fakes/memory-ledger.ts';
import { runNumberedCase } from '../../numbered-suite.ts';
import { describeIdentities, describeLedger } from '../describe-ledger.ts';
import { identityCases, identityWorld, type OpenedIdentities } from '../identity-cases.ts';
import { ledgerCases } from '../ledger-cases.ts';
import { identityPromises, ledgerPromises } from '../ledger-promises.ts';
import { ledgerWorld, type OpenedLedger } from '../ledger-world.ts';
import { identityFaults, plainIdentities, type IdentityFaultParts } from './identity-faults.ts';
import { ledgerFaults } from './ledger-faults.ts';
import { createPlainBook, mortalLedger, plainLedger, type LedgerFaultParts } from './plain-ledger.ts';

const openLedger = (fault: LedgerFaultParts): OpenedLedger => {
  const book = createPlainBook();
  return {
    ledger: mortalLedger(plainLedger(book, fault), book),
    die: async () => {
      const before = book.deaths.count;
      book.deaths.armed = true;
      return () => book.deaths.count > before;
    },
    reopen: () => plainLedger(book, fault),
    deposit: (accountId, micros) => book.balances.set(accountId, (book.balances.get(accountId) ?? 0n) + micros),
  };
};

const openIdentities = (fault: IdentityFaultParts): OpenedIdentities => {
  const claims = new Map<string, IdentityClaim>();
  return { identities: plainIdentities(claims, fault), reopen: () => plainIdentities(claims, fault) };
};

const runner = { describe, test };
describeLedger(runner, 'the plain ledger without a fault', () => openLedger(() => ({})));
describeLedger(runner, 'the ledger in memory', () => {
  const ledger = createMemoryLedger();
  return { ledger, deposit: ledger.deposit };
});
describeIdentities(runner, 'the plain store without a fault', () => openIdentities(() => ({})));
describeIdentities(runner, 'the store in memory', () => ({ identities: createMemoryIdentities() }));

const matching = <One extends { readonly name: string }>(cases: readonly One[], failing: readonly string[]) =>
  cases.filter(({ name }) => failing.some((start) => name.startsWith(start)));

test.each(
  ledgerFaults.flatMap((fault) =>
    matching(ledgerCases, fault.failing).map((one) => ({ name: fault.name, caseName: one.name, fault, one })),
  ),
)('a ledger that $name fails the case "$caseName"', async ({ fault, one }) => {
  const running = runNumberedCase(ledgerPromises, one, ledgerWorld(openLedger(fault.fault)), fault.limitMs);
  await expect(running).rejects.toMatchObject({ promise: one.promise });
});

test.each(
  identityFaults.flatMap((fault) =>
    matching(identityCases, fault.failing).map((one) => ({ name: fault.name, caseName: one.name, fault, one })),
  ),
)('a store that $name fails the case "$caseName"', async ({ fault, one }) => {
  const running = runNumberedCase(identityPromises, one, identityWorld(openIdentities(fault.fault)));
  await expect(running).rejects.toMatchObject({ promise: one.promise });
});

test('every fault names a case, and every case is failed by a fault', () => {
  const suites = [
    [ledgerFaults, ledgerCases],
    [identityFaults, identityCases],
  ] as const;
  for (const [faults, cases] of suites) {
    for (const { name, failing } of faults)
      for (const start of failing)
        expect(
          cases.filter((one) => one.name.startsWith(start)),
          `${name}: ${start}`,
        ).toHaveLength(1);
    const failed = new Set(faults.flatMap(({ failing }) => failing));
    expect(
      cases.map(({ name }) => name).filter((name) => ![...failed].some((start) => name.startsWith(start))),
    ).toEqual([]);
  }
});
