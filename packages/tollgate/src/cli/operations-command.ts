import { creditsFromMicros, type Administration, type OperationQuery } from '@tollgate/engine';
import type { AttemptRecord, OperationRecord } from '@tollgate/storage';
import { exitCodes, printJson, textOption, UsageError, type AdminCommand, type CommandInput } from './command.ts';

const openStates = ['preparing', 'reserved', 'processing', 'cancelling', 'settling', 'uncertain'] as const;

const queryOf = (input: CommandInput): OperationQuery => {
  const accountId = textOption(input, 'account');
  if (accountId !== undefined) return { kind: 'account', accountId };
  const projectId = textOption(input, 'project');
  if (projectId !== undefined) return { kind: 'project', projectId };
  const asked = textOption(input, 'state') ?? 'uncertain';
  const state = openStates.find((known) => known === asked);
  if (state === undefined) throw new UsageError(`--state takes one of ${openStates.join(', ')}`);
  return { kind: 'state', state };
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

const attemptLineOf = ({ provider, outcome, status, startedAtMs, durationMs }: AttemptRecord): string =>
  [
    `  ${provider}`,
    outcome,
    status === null ? 'no answer' : `status ${status}`,
    `${durationMs} ms`,
    new Date(startedAtMs).toISOString(),
  ].join('  ');

const findOperations = async (admin: Administration, input: CommandInput): Promise<readonly OperationRecord[]> => {
  const id = textOption(input, 'id');
  if (id === undefined) return admin.listOperations(queryOf(input));
  const operation = await admin.readOperation(id);
  return operation === null ? [] : [operation];
};

/** One that is asked for by its id is shown with its wire calls. */
const printOperation = (input: CommandInput, operation: OperationRecord): void => {
  input.world.print(lineOf(operation));
  if (textOption(input, 'id') === undefined) return;
  for (const attempt of operation.attempts) input.world.print(attemptLineOf(attempt));
};

export const operationsCommand: AdminCommand = async (admin, input) => {
  const operations = await findOperations(admin, input);
  if (operations.length === 0 && textOption(input, 'id') !== undefined) {
    input.world.complain('there is no such operation');
    return exitCodes.refused;
  }
  if (input.options['json'] === true) printJson(input.world, operations);
  else for (const operation of operations) printOperation(input, operation);
  return exitCodes.done;
};
