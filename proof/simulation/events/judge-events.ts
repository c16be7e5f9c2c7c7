import { isEnded } from '@tollgate/contract';
import { listRowsMax, type DeliveryRecord, type OccurrenceRecord, type OperationRecord } from '@tollgate/storage';
import { deliveryId } from '../../../packages/engine/src/decisions/delivery.ts';
import { report } from '../stage.ts';
import type { EventScene, Receiver } from './event-world.ts';

const attemptsMax = 8;

const checkDelivery = ({ world, recorder }: EventScene, delivery: DeliveryRecord, { manner }: Receiver): void => {
  const { id, status, attempts } = delivery;
  const arrivals = recorder.arrivals.filter((arrival) => arrival.deliveryId === id);
  const accepted = arrivals.filter((arrival) => arrival.accepted).length;
  if (status === 'pending') report(world, 'every_delivery_ends', `${id} is pending after ${attempts} tries`);
  if (status === 'delivered' && accepted === 0) report(world, 'delivered_was_accepted', id);
  if (status === 'failed' && arrivals.length < attemptsMax)
    report(world, 'eight_tries_at_the_most', `${id} was given up after ${arrivals.length} requests`);
  if (manner === 'honest' && status === 'failed') report(world, 'honest_receivers_are_told', `${id} was given up`);
};

/** A webhook that was enabled all the time gets every end, in one delivery. */
const checkEnd = (scene: EventScene, operation: OperationRecord, paused: ReadonlySet<string>): void => {
  const { world, recorder } = scene;
  for (const receiver of recorder.receivers) {
    const delivery = [...recorder.deliveries.values()].find(
      (each) => each.operationId === operation.id && each.webhookId === receiver.webhookId,
    );
    if (delivery === undefined) {
      if (!paused.has(receiver.webhookId))
        report(world, 'every_end_is_told', `${receiver.webhookId} was not told of ${operation.id}`);
      continue;
    }
    if (delivery.id !== deliveryId(delivery.eventId, receiver.webhookId))
      report(world, 'every_end_is_told', `${delivery.id} is not the delivery of its event`);
    if (delivery.status === 'skipped' && !paused.has(receiver.webhookId))
      report(world, 'every_end_is_told', `${delivery.id} was skipped`);
    checkDelivery(scene, delivery, receiver);
  }
};

const checkOccurrence = ({ world }: EventScene, occurrence: OccurrenceRecord): void => {
  const { id, status, operationId } = occurrence;
  const operation = operationId === null ? undefined : world.operations.get(operationId);
  const told = `${id} is ${status}, its operation ${operation?.state ?? 'not there'}`;
  switch (status) {
    case 'pending':
      report(world, 'every_occurrence_ends', told);
      return;
    case 'processing':
      // Uncertain until an operator has decided.
      if (operation === undefined || isEnded(operation.state)) report(world, 'every_occurrence_ends', told);
      return;
    case 'completed':
      if (operation?.state !== 'completed') report(world, 'occurrence_as_its_operation', told);
      return;
    case 'failed':
      if (operation !== undefined && operation.state !== 'failed') report(world, 'occurrence_as_its_operation', told);
      return;
    case 'skipped':
      if (operation !== undefined) report(world, 'occurrence_as_its_operation', told);
  }
};

const listOccurrences = ({ world }: EventScene, triggerId: string): Promise<readonly OccurrenceRecord[]> =>
  world.storage.list('occurrencesByTrigger', { of: triggerId, limit: listRowsMax });

/** Each operation that a schedule opened is the one of its occurrence. */
const checkOpened = (scene: EventScene, occurrences: readonly OccurrenceRecord[]): void => {
  const { world } = scene;
  const owned = new Set(occurrences.map(({ operationId }) => operationId));
  for (const { id, identity } of world.operations.values())
    if (identity?.startsWith('trigger ') === true && !owned.has(id))
      report(world, 'opened_for_its_occurrence', `${id} runs for no occurrence: ${identity}`);
};

/** Checks what was reported and what has occurred, once everything has come to rest. */
export const judgeEvents = async (scene: EventScene, paused: ReadonlySet<string>): Promise<void> => {
  const { world, recorder } = scene;
  for (const operation of world.operations.values()) if (isEnded(operation.state)) checkEnd(scene, operation, paused);
  const occurrences: OccurrenceRecord[] = [];
  for (const triggerId of recorder.triggerIds) occurrences.push(...(await listOccurrences(scene, triggerId)));
  for (const occurrence of occurrences) checkOccurrence(scene, occurrence);
  checkOpened(scene, occurrences);
  for (const id of recorder.left)
    if (!recorder.occurrences.has(id)) report(world, 'every_due_instant_occurs', `${id} was left behind`);
};
