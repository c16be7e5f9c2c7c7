import { isEnded } from '@tollgate/contract';
import type { OperationRecord } from '@tollgate/storage';
import { identityNameOf } from './client-request.ts';
import type { Execution } from './execution.ts';
import type { FinalFacts } from './final-facts.ts';
import { holdTokens } from './provider-script.ts';
import { report } from './stage.ts';
import type { World } from './world.ts';

const checkCompleted = (world: World, operation: OperationRecord, execution: Execution | undefined): void => {
  const { id } = operation;
  if (execution?.script.ran !== true) {
    report(world, 'unexecuted_is_never_charged', `${id} is completed and was never executed`);
    return;
  }
  const { script } = execution;
  const measured = script.kind === 'answers' ? script.micros : null;
  const decided = measured ?? world.verdicts.get(id) ?? null;
  if (decided === null) report(world, 'unmeasured_is_uncertain', `${id} is completed without a measure`);
  else if (operation.chargedMicros + operation.absorbedMicros !== decided)
    report(world, 'charged_exactly_the_measure', `${id}: ${operation.chargedMicros} of ${String(decided)}`);
  if (measured !== null && !world.verdicts.has(id) && operation.answer !== 'stored')
    report(world, 'charged_with_its_answer', `${id} was charged and its answer is ${operation.answer}`);
  if (world.setup.overrun === 'pending' && operation.absorbedMicros !== 0n)
    report(world, 'charged_exactly_the_measure', `${id}: absorbed ${operation.absorbedMicros}`);
};

const checkState = (world: World, operation: OperationRecord, execution: Execution | undefined): void => {
  const { id, state } = operation;
  const ran = execution?.script.ran === true;
  switch (state) {
    case 'completed':
      checkCompleted(world, operation, execution);
      break;
    case 'failed':
      if (ran) report(world, 'executed_is_charged_or_uncertain', `${id} ran and failed`);
      break;
    case 'uncertain':
      if (operation.holdMicros !== BigInt(holdTokens)) report(world, 'uncertain_keeps_hold', id);
      break;
    case 'preparing':
    case 'reserved':
    case 'processing':
    case 'cancelling':
    case 'settling':
      report(world, 'nothing_left_running', `${id} is ${state}`);
  }
  if (!isEnded(state) || state === 'failed') {
    if (operation.chargedMicros !== 0n) report(world, 'unexecuted_is_never_charged', `${id} is ${state} and charged`);
  }
};

const checkExecutions = (world: World, { operations, executionsOf }: FinalFacts): void => {
  const byIdentity = new Map<string, number>();
  for (const [id, executions] of executionsOf) {
    if (!operations.has(id)) report(world, 'executed_is_registered', id);
    if (executions.length > 1) report(world, 'one_execution_per_operation', `${id} ran ${executions.length} times`);
    for (const { request } of executions) {
      const name = identityNameOf(request);
      if (name !== null) byIdentity.set(name, (byIdentity.get(name) ?? 0) + 1);
    }
  }
  for (const [name, count] of byIdentity)
    if (count > 1) report(world, 'one_execution_per_identity', `${name} ran ${count} times`);
};

const checkIdentities = (world: World, { operations }: FinalFacts): void => {
  const known = new Map<string, string>();
  for (const { id, projectId, identity } of operations.values()) {
    if (identity === null) continue;
    const name = `${projectId}/${identity}`;
    const other = known.get(name);
    if (other !== undefined) report(world, 'one_operation_per_identity', `${name}: ${other} and ${id}`);
    known.set(name, id);
  }
};

/** What must hold of every operation when faults have stopped and two leases have passed. */
export const checkOperations = (world: World, facts: FinalFacts): void => {
  for (const operation of facts.operations.values())
    checkState(world, operation, facts.executionsOf.get(operation.id)?.[0]);
  checkExecutions(world, facts);
  checkIdentities(world, facts);
};
