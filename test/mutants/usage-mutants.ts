import { engineMutant } from './mutant-rows.ts';
import type { Mutant } from './mutant.ts';

const lineTest = 'decisions/usage-line.test.ts';
const rollUpTest = 'decisions/roll-up-usage.test.ts';

/** Faults in lines of usage and in their sums by hour and day. */
export const usageMutants: readonly Mutant[] = [
  engineMutant(
    'a part that was captured is used again at the end',
    [
      'decisions/usage-line.ts',
      'chargedMicros: completed.chargedMicros - before.chargedMicros,',
      'chargedMicros: completed.chargedMicros,',
    ],
    [lineTest, 'a part that is captured is charged in a line of its own, and not again at the end'],
  ),
  engineMutant(
    'a line is rolled up by every process that read it',
    ['decisions/roll-up-usage.ts', "records.get('usageLine', line.id) !== undefined && addLine", 'addLine'],
    [rollUpTest, 'adds a line once, however often it is rolled up'],
  ),
  engineMutant(
    'a line is lost whose sum no row can hold',
    [
      'decisions/roll-up-usage.ts',
      'if (!isStorable(nextHour) || !isStorable(nextDay)) return false;',
      'if (!isStorable(nextHour) || !isStorable(nextDay)) return true;',
    ],
    [rollUpTest, 'leaves a line whose sum no row can hold'],
  ),
  engineMutant(
    'a response that was given up names the provider of usage',
    ['decisions/usage-line.ts', ' && abandoned !== true', ''],
    [lineTest, 'a settlement writes a line with its units, its debit and the provider that responded'],
  ),
  engineMutant(
    'a compensation corrects an operation of another account',
    ['decisions/deposit.ts', 'operation.accountId !== command.accountId', 'operation.accountId === undefined'],
    ['decisions/deposit.test.ts', 'refuses an operation of another account, and takes one whose record is gone'],
  ),
];
