import { errorTable, GatewayError, type ErrorCode } from '@tollgate/contract';
import type { FoundResource } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { hasEnded } from '../../resources/await-resource.ts';
import type { Service } from '../../service.ts';
import { endedAnswer, readCarried, type CarriedAnswer } from './carried-answer.ts';
import type { GenerationDialect, SettledAnswer, UnfinishedAnswer } from './generation-dialect.ts';
import { createStateSeal } from './seal-state.ts';
import { settledOf } from './settled-answer.ts';

const isErrorCode = (code: string): code is ErrorCode => Object.hasOwn(errorTable, code);

/** Why an operation gave no answer. One whose outcome is not known has failed for its client, who may ask for its record. */
export const errorOfOperation = ({ id, errorCode }: OperationRecord): GatewayError =>
  new GatewayError(errorCode !== null && isErrorCode(errorCode) ? errorCode : 'request_failed', { requestId: id });

/** How an interaction stands that has not completed; null where it has. */
export const unfinishedOf = (
  found: FoundResource,
  { stage }: Pick<CarriedAnswer, 'stage'>,
): UnfinishedAnswer | null => {
  const { operation } = found;
  if (operation.state === 'completed') return null;
  if (operation.state === 'failed' && operation.errorCode === 'cancelled') return { status: 'cancelled' };
  if (hasEnded(found)) return { status: 'failed', error: errorOfOperation(operation) };
  return { status: stage === 'asked' ? 'queued' : 'in_progress' };
};

/** An interaction that has completed, as the answer of a dialect. */
export const settledCarried = (service: Service, found: FoundResource, carried: CarriedAnswer): SettledAnswer => {
  const seal = createStateSeal(service, found.operation.projectId);
  return settledOf(service, found.operation, endedAnswer(carried, seal));
};

const goesOn = ({ id }: OperationRecord): GatewayError =>
  new GatewayError('request_in_progress', {
    requestId: id,
    detail: 'The request takes longer than its client can wait; it goes on, and its record has the answer.',
  });

/** The interaction in the form of its dialect, as it stands; null where it is not one of this dialect, or its time is over. */
export const writeFound = async (
  service: Service,
  dialect: GenerationDialect,
  found: FoundResource,
): Promise<string | null> => {
  const carried = await readCarried(service, dialect.name, found);
  if (carried === null || dialect.writeUnfinished === undefined) return null;
  const unfinished = unfinishedOf(found, carried);
  if (unfinished !== null) return dialect.writeUnfinished(carried.head, unfinished);
  if (carried.stage === 'gone') return null;
  return dialect.writeWhole(carried.head, settledCarried(service, found, carried));
};

/**
 * What a client gets that waited for an interaction. A failure is an error, as for any other request. What takes longer than a
 * client waits has the dialect's form of an unfinished answer, or is an error.
 */
export const writeAwaited = async (
  service: Service,
  dialect: GenerationDialect,
  found: FoundResource,
): Promise<string> => {
  const carried = await readCarried(service, dialect.name, found);
  const unfinished = unfinishedOf(found, carried ?? { stage: 'gone' });
  if (unfinished?.status === 'cancelled')
    throw new GatewayError('request_cancelled', { requestId: found.operation.id });
  if (unfinished?.status === 'failed') throw unfinished.error;
  if (carried === null || carried.stage === 'gone') throw new GatewayError('not_found');
  if (unfinished === null) return dialect.writeWhole(carried.head, settledCarried(service, found, carried));
  if (dialect.writeUnfinished === undefined) throw goesOn(found.operation);
  return dialect.writeUnfinished(carried.head, unfinished);
};
