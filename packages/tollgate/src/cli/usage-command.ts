import { creditsFromMicros, type Administration, type UsageQuery, type UsageRow } from '@tollgate/engine';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { groupOption } from './group-option.ts';
import { printCsvOf } from './print-csv.ts';

const hourMs = 3_600_000;

/** A time of the range: usage is kept by the hour. */
const hourOption = (input: CommandInput, name: string): number => {
  const text = requireOption(input, name);
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs) || atMs % hourMs !== 0)
    throw new UsageError(
      `--${name} has ${text}, and takes a time on a whole hour, such as 2026-11-01 or 2026-11-01T10:00Z`,
    );
  return atMs;
};

/** The range, of which the end is excluded. */
const hoursOf = (input: CommandInput): Pick<UsageQuery, 'fromMs' | 'untilMs'> => {
  const [fromMs, untilMs] = [hourOption(input, 'from'), hourOption(input, 'until')];
  if (untilMs <= fromMs) throw new UsageError('--until is not later than --from');
  return { fromMs, untilMs };
};

const buckets = ['hour', 'day', 'month', 'total'] as const;

const bucketOf = (input: CommandInput): UsageQuery['bucket'] => {
  const asked = textOption(input, 'by') ?? 'total';
  const bucket = buckets.find((known) => known === asked);
  if (bucket === undefined) throw new UsageError(`--by takes one of ${buckets.join(', ')}`);
  return bucket;
};

const dimensions = {
  account: 'accountId',
  project: 'projectId',
  key: 'keyId',
  model: 'model',
  provider: 'provider',
} as const;

const groupsOf = (input: CommandInput): NonNullable<UsageQuery['groupBy']> =>
  groupOption(input, dimensions).map((name) => dimensions[name]);

const queryOf = (input: CommandInput): UsageQuery => ({
  ...hoursOf(input),
  bucket: bucketOf(input),
  timeZone: textOption(input, 'time-zone'),
  groupBy: groupsOf(input),
  filter: {
    accountId: textOption(input, 'account'),
    projectId: textOption(input, 'project'),
    keyId: textOption(input, 'key'),
    model: textOption(input, 'model'),
    provider: textOption(input, 'provider'),
  },
});

const lineOf = (row: UsageRow, groupBy: NonNullable<UsageQuery['groupBy']>): string =>
  [
    new Date(row.fromMs).toISOString(),
    ...groupBy.map((name) => (row[name] === '' ? '-' : (row[name] ?? '-'))),
    `${row.requests} requests`,
    `charged ${creditsFromMicros(row.chargedMicros)}`,
    ...(row.correctedMicros === 0n ? [] : [`corrected ${creditsFromMicros(row.correctedMicros)}`]),
    ...Object.entries(row.units).map(([unit, quantity]) => `${unit}:${quantity}`),
  ].join('  ');

const printCsv = async (admin: Administration, { world }: CommandInput, query: UsageQuery): Promise<number> => {
  await printCsvOf(world, await admin.usageCsv(query));
  return exitCodes.done;
};

/** With the key of `--reference`, which is one of a project; null where there is none. */
const withReferredKey = async (
  admin: Administration,
  input: CommandInput,
  query: UsageQuery,
): Promise<UsageQuery | null> => {
  const reference = textOption(input, 'reference');
  if (reference === undefined) return query;
  if (query.filter?.keyId !== undefined) throw new UsageError('--key and --reference both name a key; give one');
  const projectId = requireOption(input, 'project');
  const [key] = (await admin.findKeys({ projectId, reference })).items;
  return key === undefined ? null : { ...query, filter: { ...query.filter, keyId: key.id } };
};

/** All pages are printed, each when it is read. */
export const usageCommand: AdminCommand = async (admin, input) => {
  const query = await withReferredKey(admin, input, queryOf(input));
  if (query === null) {
    input.world.complain('there is no key of this reference in the project');
    return exitCodes.refused;
  }
  if (input.options['csv'] === true) return printCsv(admin, input, query);
  const rows: UsageRow[] = [];
  let after: UsageQuery['after'];
  do {
    const page = await admin.usage({ ...query, after });
    if (input.options['json'] === true) rows.push(...page.items);
    else for (const row of page.items) input.world.print(lineOf(row, query.groupBy ?? []));
    after = page.next ?? undefined;
  } while (after !== undefined);
  if (input.options['json'] === true) printJson(input.world, rows);
  return exitCodes.done;
};
