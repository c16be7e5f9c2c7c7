import { isEnded, operationStates } from '@tollgate/contract';
import { creditsFromMicros, type Administration, type OperationSearch } from '@tollgate/engine';
import type { AttemptRecord, OperationRecord, VerdictRecord } from '@tollgate/storage';
import { exitCodes, printJson, textOption, UsageError, type AdminCommand, type CommandInput } from './command.ts';
import { listPages, rangeOption, wordOption } from './list-pages.ts';
import { uncertainText } from './uncertain-text.ts';
import { usageText } from './usage-option.ts';

/** What is searched; without a choice the uncertain ones. */
const searchOf = (input: CommandInput): OperationSearch => {
  const named = {
    accountId: textOption(input, 'account'),
    projectId: textOption(input, 'project'),
    keyId: textOption(input, 'key'),
  };
  const isNamed = Object.values(named).some((id) => id !== undefined);
  const state = wordOption(input, 'state', operationStates) ?? (isNamed ? undefined : 'uncertain');
  // Of all that ended there is no list: it is kept by account, project and key.
  if (!isNamed && state !== undefined && isEnded(state))
    throw new UsageError(
      `operations that are ${state} are listed of one account, project or key: add --account ID, --project ID or --key ID`,
    );
  return { ...named, model: textOption(input, 'model'), state, ...rangeOption(input) };
};

const lineOf = (operation: OperationRecord): string =>
  [
    operation.id,
    operation.state.padEnd(10),
    operation.model,
    `charged ${creditsFromMicros(operation.chargedMicros)}`,
    `held ${creditsFromMicros(operation.holdMicros)}`,
    new Date(operation.createdAtMs).toISOString(),
    operation.errorCode ?? '',
  ].join('  ');

/** The ids are what the upstream's bill, or its support, knows the call by. */
const attemptLineOf = (attempt: AttemptRecord): string =>
  [
    `  ${attempt.provider}`,
    attempt.outcome,
    attempt.status === null ? 'no answer' : `status ${attempt.status}`,
    `${attempt.durationMs} ms`,
    new Date(attempt.startedAtMs).toISOString(),
    ...(attempt.upstreamId === undefined ? [] : [`id ${attempt.upstreamId}`]),
    ...(attempt.answerId === undefined ? [] : [`answer ${attempt.answerId}`]),
    ...(attempt.abandoned === true ? ['abandoned'] : []),
    ...(attempt.usageAtLeast === undefined ? [] : [`at least ${usageText(attempt.usageAtLeast)}`]),
  ].join('  ');

const findOperations = async (admin: Administration, input: CommandInput): Promise<readonly OperationRecord[]> => {
  const id = textOption(input, 'id');
  if (id === undefined) {
    const search = searchOf(input);
    return listPages(input, (page) => admin.findOperations({ ...search, ...page }));
  }
  const operation = await admin.readOperation(id);
  return operation === null ? [] : [operation];
};

const verdictLineOf = ({ kind, amountMicros, decidedAtMs, by, reason, reference }: VerdictRecord): string =>
  [
    `  decided: ${kind}`,
    `${creditsFromMicros(BigInt(amountMicros))} credits`,
    new Date(decidedAtMs).toISOString(),
    ...(by === null ? [] : [`by ${by}`]),
    ...(reference === null ? [] : [`reference ${reference}`]),
    ...(reason === null ? [] : [`because ${reason}`]),
  ].join('  ');

const partStates = { known: 'measured', nothing: 'did not run', unknown: 'unknown outcome' } as const;

/** The items of a batch; of all else, the upstream requests are its parts. */
const printParts = async (admin: Administration, input: CommandInput, operation: OperationRecord): Promise<void> => {
  if (operation.kind !== 'batch') return;
  for (const { part, state, usageAtLeast, upstreamIds } of (await admin.listParts(operation.id)) ?? []) {
    const least = usageAtLeast === null ? [] : [`at least ${usageText(usageAtLeast)}`];
    input.world.print(
      [`  part ${part}`, partStates[state], ...upstreamIds.map((id) => `id ${id}`), ...least].join('  '),
    );
  }
};

const sentCharsMax = 2_000;

/** What a client was sent of an answer whose outcome is unknown. */
const printSent = async (admin: Administration, input: CommandInput, operation: OperationRecord): Promise<void> => {
  const sent = operation.answer === 'partial' ? await admin.readStoredAnswer(operation.id) : null;
  if (sent === null || sent.text === null) return;
  const { text } = sent;
  const rest = text.length > sentCharsMax ? ` and ${text.length - sentCharsMax} characters more` : '';
  input.world.print(`  sent ${text.slice(0, sentCharsMax)}${rest}`);
};

/** One that is asked for by its id is shown with its upstream requests. */
const printOperation = async (
  admin: Administration,
  input: CommandInput,
  operation: OperationRecord,
): Promise<void> => {
  input.world.print(lineOf(operation));
  if (textOption(input, 'id') === undefined) return;
  for (const attempt of operation.attempts) input.world.print(attemptLineOf(attempt));
  const why = uncertainText(operation);
  if (why !== null) input.world.print(`  ${why}`);
  await printParts(admin, input, operation);
  await printSent(admin, input, operation);
  if (operation.verdict !== null) input.world.print(verdictLineOf(operation.verdict));
  if (operation.usageAtLeast !== null) input.world.print(`  used at least ${usageText(operation.usageAtLeast)}`);
};

export const operationsCommand: AdminCommand = async (admin, input) => {
  const operations = await findOperations(admin, input);
  if (operations.length === 0 && textOption(input, 'id') !== undefined) {
    input.world.complain('there is no such operation');
    return exitCodes.refused;
  }
  if (input.options['json'] === true) printJson(input.world, operations);
  else for (const operation of operations) await printOperation(admin, input, operation);
  return exitCodes.done;
};
