import type { AttemptRecord, Key, OperationRecord, UsageLineRecord, UsageRecord, Write } from '@tollgate/storage';

/*
 * Whatever completes an operation, or changes what one was charged, writes a line of usage in the same step. Sums of lines and of
 * roll-ups are therefore what the ledger has, whichever process dies when.
 */

/** Fresh, for the record of the operation or of the deposit tells whether the step was made before. */
const lineKey = (id: string): Key => ({ table: 'usageLine', id, fresh: true });

const endLineId = (operationId: string): string => `operation:${operationId}`;
const captureLineId = (operationId: string, sequence: number): string => `capture:${operationId}:${sequence}`;
const correctionLineId = (depositId: string): string => `correction:${depositId}`;

export const endLineKey = (operationId: string): Key => lineKey(endLineId(operationId));
export const captureLineKey = (operationId: string, sequence: number): Key =>
  lineKey(captureLineId(operationId, sequence));
export const correctionLineKey = (depositId: string): Key => lineKey(correctionLineId(depositId));

/** The provider whose response counts; '' where none responded. */
const respondingProvider = (attempts: readonly AttemptRecord[]): string =>
  attempts.findLast(({ outcome, abandoned }) => outcome === 'answered' && abandoned !== true)?.provider ?? '';

const unitsOf = (usage: readonly UsageRecord[] | null): UsageLineRecord['units'] => {
  const units: Record<string, number> = {};
  for (const { unit, quantity } of usage ?? []) units[unit] = (units[unit] ?? 0) + quantity;
  return units;
};

const sourceOf = ({ accountId, projectId, keyId, model, attempts }: OperationRecord) => ({
  accountId,
  projectId,
  keyId,
  model,
  provider: respondingProvider(attempts),
});

const noAmounts = { requests: 0, chargedMicros: 0n, correctedMicros: 0n, units: {} } as const;

const lineWrite = (record: UsageLineRecord): Write => ({ kind: 'put', table: 'usageLine', record });

/** The line of an operation that has just completed: one request, its units, and what was charged since `before`. */
export const endLineWrite = (before: OperationRecord, completed: OperationRecord, nowMs: number): Write =>
  lineWrite({
    ...sourceOf(completed),
    id: endLineId(completed.id),
    requests: 1,
    chargedMicros: completed.chargedMicros - before.chargedMicros,
    correctedMicros: 0n,
    units: unitsOf(completed.usage),
    createdAtMs: nowMs,
  });

/** The line of a part that was charged while the operation goes on: the request and its units are counted at its end. */
export const captureLineWrite = (
  operation: OperationRecord,
  { sequence, amountMicros }: { readonly sequence: number; readonly amountMicros: bigint },
  nowMs: number,
): Write =>
  lineWrite({
    ...sourceOf(operation),
    ...noAmounts,
    id: captureLineId(operation.id, sequence),
    chargedMicros: amountMicros,
    createdAtMs: nowMs,
  });

/** The line of a compensation, in its own hour; the operation may be gone, and then the account alone is known. */
export const correctionLineWrite = (
  operation: OperationRecord | undefined,
  correction: { readonly depositId: string; readonly accountId: string; readonly amountMicros: bigint },
  nowMs: number,
): Write => {
  const { depositId, accountId, amountMicros } = correction;
  const isKnown = operation?.accountId === accountId;
  return lineWrite({
    ...(isKnown ? sourceOf(operation) : { accountId, projectId: '', keyId: '', model: '', provider: '' }),
    ...noAmounts,
    id: correctionLineId(depositId),
    correctedMicros: amountMicros,
    createdAtMs: nowMs,
  });
};
