import { engineMutant } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const spendTest = 'decisions/spend.test.ts';

/** Faults in what keys and tokens may spend. */
export const capMutants: readonly Mutant[] = [
  engineMutant(
    'a cap counts in the window that a process remembers',
    ['decisions/spend.ts', 'if ((ofKey?.id ?? null) !== keySpend)', 'if (ofKey === null && keySpend !== null)'],
    [spendTest, 'is counted by the window of the storage clock'],
  ),
  engineMutant(
    'a hold grows beyond one of two caps',
    [
      'decisions/spend.ts',
      '.every((record) => leftOf(record) >= moreMicros)',
      '.some((record) => leftOf(record) >= moreMicros)',
    ],
    [spendTest, 'of a token bounds a hold that grows, whatever its key may still spend'],
  ),
  engineMutant(
    'a cap that was lowered goes on as it was',
    [
      'decisions/spend.ts',
      '  limitMicros,\n});',
      '  limitMicros: records.get("spend", id)?.limitMicros ?? limitMicros,\n});',
    ],
    [spendTest, 'that was changed holds for the next opening'],
  ),
  engineMutant(
    'days of a cap are those of Greenwich',
    ['decisions/spend-window.ts', 'nextRun(ends[window], timeZone, nowMs)', "nextRun(ends[window], 'UTC', nowMs)"],
    ['decisions/spend-window.test.ts', 'ends by the clocks of its zone'],
  ),
  engineMutant(
    'a cancelled resource keeps its place within a cap',
    ['decisions/cancel.ts', '            ...spendWrites(records, operation, failed),\n', ''],
    [spendTest, 'is free again where work was cancelled before it began'],
  ),
  engineMutant(
    'a cache that is kept longer takes nothing of a cap',
    [
      'decisions/change-ttl.ts',
      'const spend = spendWrites(records, operation, held);',
      'const spend = spendWrites(records, held, held);',
    ],
    ['resources/cache/cache-kind.test.ts', 'takes more of the cap of its key where it is kept longer'],
  ),
  engineMutant(
    'what a wallet of the host never held stays within a cap',
    [
      'decisions/unregister.ts',
      'writes.push(...spendWrites(records, current, { holdMicros: 0n, chargedMicros: 0n }));',
      '',
    ],
    [spendTest, 'is free again where the wallet of the host held nothing, and counts what it settles'],
  ),
  engineMutant(
    'what the host settles stays held within a cap',
    ['decisions/host-moves.ts', '        ...spendWrites(records, operation, moved),\n', ''],
    [spendTest, 'is free again where the wallet of the host held nothing, and counts what it settles'],
  ),
  engineMutant(
    'a wallet of the host extends beyond a cap',
    ['ledger/external-ledger.ts', 'more <= 0n || coversMore(records, operation, more)', 'true'],
    ['ledger/external-ledger.test.ts', 'extends no further than a cap covers'],
  ),
];
