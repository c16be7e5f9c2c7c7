import { expect, test } from 'vitest';
import { enumerate, moneyKinds } from './enumerate.ts';
import { settlementFaults } from './faults/settlement-faults.ts';

test.each(moneyKinds)(
  'keeps every promise whichever await of a chat goes wrong, with a $ledger ledger and $identities identities [ledger:uncertain:keeps-hold] [idempotency:concurrency:one-execution]',
  async ({ ledger, identities }) => {
    const { cases, byFaults, broken } = await enumerate({ ledger, identities });
    console.log(
      `${ledger} ledger, ${identities} identities: ${cases} cases (${byFaults.map((count, faults) => `${count} with ${faults} faults`).join(', ')})`,
    );
    expect(broken).toEqual([]);
    expect(byFaults[1]).toBeGreaterThan(500);
    expect(byFaults[2]).toBeGreaterThan(500);
  },
);

test('notices an engine that debits again when a settlement is sent again', async () => {
  const fault = settlementFaults.find(({ name }) => name === 'a settlement that is sent again debits again');
  const { broken } = await enumerate({ ledger: 'wallet', identities: 'built_in' }, fault?.subject);
  expect(broken.join()).toContain('audit_clean');
});
