import type { Gateway } from 'tollgate';
import { ranOf } from './find-mischarges.ts';
import type { Operations } from './read-operations.ts';
import type { Executions } from './reference-upstream.ts';

/** The gateway's own audit. */
export const findViolations = async (gateway: Gateway): Promise<readonly string[]> => {
  const { violations, busy } = await gateway.admin.audit();
  const found = violations.map(({ rule, accountId, detail }) => `${rule}: ${accountId}: ${detail}`);
  return [...found, ...busy.map((accountId) => `${accountId} kept changing`)];
};

/** Decides what is uncertain by what the reference upstream knows, as an operator would; returns what could not be decided. */
export const reconcile = async (
  gateway: Gateway,
  operations: Operations,
  executions: ReadonlyMap<string, Executions>,
): Promise<readonly string[]> => {
  const failures: string[] = [];
  for (const [identity, { id, state }] of operations) {
    if (state !== 'uncertain') continue;
    const ran = ranOf(executions, identity);
    const answer = await gateway.admin.resolveOperation(
      id,
      ran === undefined ? { executed: false } : { executed: true, amountMicros: ran.costMicros },
    );
    if (answer.kind !== 'resolved') failures.push(`${identity} could not be decided: ${answer.kind}`);
  }
  return failures;
};
