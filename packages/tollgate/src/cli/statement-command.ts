import { creditsFromMicros } from '@tollgate/engine';
import type { EntryRecord } from '@tollgate/storage';
import { accountOf } from './account-option.ts';
import { exitCodes, type AdminCommand } from './command.ts';
import { listPages, rangeOption } from './list-pages.ts';
import { printCsvOf } from './print-csv.ts';
import { cells, printRecords, timeText } from './run-actions.ts';

const lineOf = (entry: EntryRecord): string =>
  cells(
    String(entry.seq).padStart(6),
    timeText(entry.createdAtMs),
    entry.kind.padEnd(12),
    `credits ${creditsFromMicros(entry.amountMicros)}`,
    `balance ${creditsFromMicros(entry.balanceMicros)}`,
    entry.model,
    entry.keyId === null ? null : `key ${entry.keyId}`,
    entry.operationId,
    entry.reference,
  );

/** The whole time as CSV. */
const printCsv: AdminCommand = async (admin, input) => {
  const accountId = accountOf(input);
  await printCsvOf(input.world, await admin.statementCsv({ accountId, ...rangeOption(input) }));
  return exitCodes.done;
};

export const statementCommand: AdminCommand = async (admin, input) => {
  const accountId = accountOf(input);
  if ((await admin.readAccount(accountId)) === null) {
    input.world.complain(`there is no account ${accountId}`);
    return exitCodes.refused;
  }
  if (input.options['csv'] === true) return printCsv(admin, input);
  const range = rangeOption(input);
  return printRecords(
    input,
    await listPages(input, (page) => admin.findStatement({ ...page, ...range, accountId })),
    lineOf,
  );
};
