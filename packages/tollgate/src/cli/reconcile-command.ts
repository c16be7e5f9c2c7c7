import path from 'node:path';
import { acceptedWords } from '@tollgate/contract/configuration';
import {
  creditsFromMicros,
  type BillDifference,
  type ProposedVerdict,
  type ReconcileInput,
  type ReconcileReport,
} from '@tollgate/engine';
import {
  exitCodes,
  InputFileError,
  listOption,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { readBill } from './bill/read-bill.ts';
import { usageText } from './usage-option.ts';
import { verdictNote } from './verdict-options.ts';

const timeOption = (input: CommandInput, name: string): number | null => {
  const text = textOption(input, name);
  if (text === undefined) return null;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs))
    throw new UsageError(`--${name} has '${text}', and takes a time such as 2026-11-01T00:00:00Z`);
  return atMs;
};

/** Which time the bill has all calls of. */
const coversOf = (input: CommandInput): ReconcileInput['covers'] => {
  const fromMs = timeOption(input, 'from');
  const untilMs = timeOption(input, 'until');
  if (fromMs === null && untilMs === null) return textOption(input, 'time-column') === undefined ? undefined : 'rows';
  if (fromMs === null || untilMs === null || fromMs > untilMs)
    throw new UsageError('--from and --until belong together, and --from is not after --until');
  return { fromMs, untilMs };
};

const idsOption = (input: CommandInput): 'upstream' | 'operation' => {
  const text = textOption(input, 'ids') ?? 'upstream';
  if (text === 'upstream' || text === 'operation') return text;
  throw new UsageError(`--ids has '${text}', and takes upstream or operation`);
};

const inputOf = (input: CommandInput): ReconcileInput => {
  const file = requireOption(input, 'bill');
  const delimiter = textOption(input, 'delimiter');
  if (delimiter !== undefined && (delimiter.length !== 1 || delimiter === '"'))
    throw new UsageError('--delimiter takes one character');
  if (input.options['apply'] === true && input.options['dry-run'] === true)
    throw new UsageError('--apply and --dry-run exclude each other');
  const provider = textOption(input, 'provider');
  const covers = coversOf(input);
  return {
    rows: readBill({
      path: file,
      delimiter,
      id: textOption(input, 'id-column'),
      time: textOption(input, 'time-column'),
      units: listOption(input, 'unit'),
    }),
    idsAre: idsOption(input),
    apply: input.options['apply'] === true,
    note: { reason: 'reconciled with a bill', reference: path.basename(file), ...verdictNote(input) },
    ignoreRowsWithoutId: input.options['ignore-rows-without-id'] === true,
    ...(provider === undefined ? {} : { provider }),
    ...(covers === undefined ? {} : { covers }),
  };
};

const creditsText = (micros: bigint | null): string => (micros === null ? '–' : String(creditsFromMicros(micros)));

const verdictText = ({ proposal }: ProposedVerdict): string => {
  if (proposal.kind === 'none') return `none: ${proposal.because}`;
  const { verdict } = proposal;
  if (!verdict.executed) return 'release';
  if ('parts' in verdict) return 'charge_parts';
  return 'usage' in verdict && verdict.usage !== 'at_least' ? `charge_measured ${usageText(verdict.usage)}` : 'charge';
};

const proposalLine = (proposed: ProposedVerdict): string =>
  [
    proposed.operation.id,
    proposed.operation.model,
    `held ${creditsText(proposed.operation.holdMicros)}`,
    verdictText(proposed),
    ...(proposed.proposal.kind === 'none' ? [] : [`${creditsText(proposed.amountMicros)} credits`]),
    ...(proposed.answer === null ? [] : [proposed.answer]),
  ].join('  ');

const differenceLine = ({ operation, billed }: BillDifference): string =>
  `differs  ${operation.id}  ${operation.state}  on the bill ${usageText(billed)}  on record ${
    operation.usage === null ? 'nothing' : usageText(operation.usage)
  }`;

const totalsOf = ({ proposals }: ReconcileReport) => {
  const decided = proposals.filter(({ proposal }) => proposal.kind === 'verdict');
  const releases = decided.filter(({ proposal }) => proposal.kind === 'verdict' && !proposal.verdict.executed);
  return {
    charge: decided.length - releases.length,
    release: releases.length,
    none: proposals.length - decided.length,
    chargedMicros: decided.reduce((sum, { amountMicros }) => sum + (amountMicros ?? 0n), 0n),
    refused: decided.filter(({ answer }) => answer !== null && answer !== 'resolved' && answer !== 'pending').length,
  };
};

/** A name that no attempt bears is probably misspelt: the bill would decide nothing. */
const providerHint = (provider: string, { proposals }: ReconcileReport): string | null => {
  const named = new Set(proposals.flatMap(({ operation }) => operation.attempts.map((attempt) => attempt.provider)));
  return named.size === 0 || named.has(provider)
    ? null
    : `no attempt names the provider ${provider}; accepted ${acceptedWords(provider, [...named])}`;
};

const printReport = (input: CommandInput, report: ReconcileReport, applied: boolean): void => {
  const { world } = input;
  for (const proposed of report.proposals) world.print(proposalLine(proposed));
  for (const difference of report.differences) world.print(differenceLine(difference));
  for (const { id, usage, lines } of report.unmatched)
    world.print(`unmatched  ${id}  line ${lines.join(', ')}  ${usageText(usage)}`);
  const { charge, release, none, chargedMicros, refused } = totalsOf(report);
  const counts = `${charge} to charge (${creditsText(chargedMicros)} credits), ${release} to release, ${none} undecided`;
  world.print(`${report.rows} rows: ${counts}; ${report.differencesCount} differ, ${report.unmatchedCount} unmatched`);
  const provider = textOption(input, 'provider');
  const hint = provider === undefined ? null : providerHint(provider, report);
  if (hint !== null) world.print(hint);
  const { withoutId } = report;
  if (withoutId.count > 0)
    world.print(
      `${withoutId.count} rows bill a usage and have no id (line ${withoutId.lines.join(', ')}): ` +
        'they stop every release, unless --ignore-rows-without-id says that they are no calls',
    );
  if (report.more) world.print('more operations are uncertain than are checked in one go: run it again');
  world.print(applied ? `applied; ${refused} refused` : 'nothing was changed: --apply carries it out');
};

const isFileFault = (cause: unknown): cause is NodeJS.ErrnoException =>
  cause instanceof Error && 'syscall' in cause && 'path' in cause;

/** A file that cannot be read, or not as a bill. */
const asInputFileError = (cause: unknown, file: string): unknown => {
  if (cause instanceof RangeError || cause instanceof SyntaxError) return new InputFileError(cause.message);
  return isFileFault(cause) ? new InputFileError(`--bill: ${file} cannot be read (${cause.code})`) : cause;
};

export const reconcileCommand: AdminCommand = async (admin, input) => {
  const asked = inputOf(input);
  const report = await admin.reconcile(asked).catch((cause: unknown) => {
    throw asInputFileError(cause, requireOption(input, 'bill'));
  });
  if (input.options['json'] === true) printJson(input.world, report);
  else printReport(input, report, asked.apply === true);
  return totalsOf(report).refused > 0 ? exitCodes.refused : exitCodes.done;
};
