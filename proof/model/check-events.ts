import type {
  DeliveryRecord,
  OccurrenceRecord,
  OperationRecord,
  OutboxRecord,
  WebhookRecord,
  Write,
} from '@tollgate/storage';
import type { ObservedStep } from './observed-step.ts';
import { found, type Found } from './violation.ts';

/** Ended by this very step, which is not the one that registered it. */
const endedNow = ({ map, writes }: ObservedStep): OperationRecord | null => {
  for (const write of writes) {
    if (write.kind !== 'put' || write.table !== 'operation' || write.record.endedAtMs === null) continue;
    if (map.records.get('operation', write.record.id)?.endedAtMs === null) return write.record;
  }
  return null;
};

/** The webhooks that are enabled for the end of an operation, by their own records. */
const hooksFor = ({ map }: ObservedStep, { projectId, state }: OperationRecord): readonly string[] => {
  const type = state === 'failed' ? 'request.failed' : 'request.completed';
  // The table of webhooks holds nothing else, and their events are texts.
  const hooks = [...(map.tables.get('webhook')?.values() ?? [])] as readonly WebhookRecord[];
  return hooks
    .filter((hook) => hook.projectId === projectId && hook.status === 'enabled')
    .filter(({ events }) => (events as readonly string[]).includes(type))
    .map(({ id }) => id);
};

/** A claim writes one that was there. */
const newEvent = ({ command, writes }: ObservedStep): OutboxRecord | null => {
  if (command.body.kind === 'claim') return null;
  for (const write of writes) if (write.kind === 'put' && write.table === 'outbox') return write.record;
  return null;
};

/** An operation that ends has its event in the very step; and nothing else has one. */
const checkEvent = (step: ObservedStep): Found => {
  const ended = endedNow(step);
  const event = newEvent(step);
  const wanted = ended === null ? [] : hooksFor(step, ended);
  // Written by the decision alone, which holds ids.
  const told = (event?.hooks ?? []) as readonly string[];
  if ([...wanted].toSorted().join() !== [...told].toSorted().join())
    return found('event_with_its_end', `${ended?.id ?? 'nothing'} ended: ${told.join()} for ${wanted.join()}`);
  return null;
};

const once = ({ book }: ObservedStep, name: string, check: NonNullable<Found>['check']): Found => {
  if (book.written.has(name)) return found(check, name);
  book.written.add(name);
  return null;
};

const triesMax = 8;

const checkDelivery = (step: ObservedStep, record: DeliveryRecord): Found => {
  const { id, eventId, webhookId, attempts, status } = record;
  if (attempts > triesMax || (attempts === triesMax && status === 'pending'))
    return found('tries_are_bounded', `${id}: ${attempts}`);
  return step.map.records.get('delivery', id) === undefined
    ? once(step, `delivery ${eventId} ${webhookId}`, 'one_delivery_an_event')
    : null;
};

const checkOccurrence = (step: ObservedStep, { id, triggerId, scheduledForMs }: OccurrenceRecord): Found =>
  step.map.records.get('occurrence', id) === undefined
    ? once(step, `occurrence ${triggerId} ${scheduledForMs}`, 'one_occurrence_an_instant')
    : null;

const checkWrite = (step: ObservedStep, write: Write): Found => {
  if (write.kind !== 'put') return null;
  if (write.table === 'delivery') return checkDelivery(step, write.record);
  return write.table === 'occurrence' ? checkOccurrence(step, write.record) : null;
};

/** Looks at events, deliveries and occurrences that a step is about to write. */
export const checkEvents = (step: ObservedStep): Found => {
  const wrong = checkEvent(step);
  if (wrong !== null) return wrong;
  for (const write of step.writes) {
    const wrongWrite = checkWrite(step, write);
    if (wrongWrite !== null) return wrongWrite;
  }
  return null;
};
