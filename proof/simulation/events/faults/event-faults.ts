import type { SendOutcome, WebhookSender } from '@tollgate/engine';
import type { ClaimQuery, Storage, Write } from '@tollgate/storage';
import { alteredWork, type WorkFault } from '../../work/faults/work-fault.ts';
import { shippingWork, type WorkSubject } from '../../work/work-subject.ts';

const withSender = (alter: (send: WebhookSender['send']) => WebhookSender['send']): WorkSubject =>
  alteredWork({
    createDeliveries: (engine, { sender, ...rest }) =>
      shippingWork.createDeliveries(engine, { ...rest, sender: { ...sender, send: alter(sender.send) } }),
  });

const isAccepted = (outcome: SendOutcome): boolean => outcome.kind === 'answered' && outcome.status === 200;

const withStorage = (alter: (storage: Storage) => Partial<Storage>): WorkSubject =>
  alteredWork({
    createEngine: (options) =>
      shippingWork.createEngine({ ...options, storage: { ...options.storage, ...alter(options.storage) } }),
  });

/** Every step writes something else. */
const withWrites = (alter: (writes: readonly Write[]) => readonly Write[]): WorkSubject =>
  withStorage((storage) => ({
    transact: (keys, decide) =>
      storage.transact(keys, (records, nowMs) => {
        const { writes, answer } = decide(records, nowMs);
        return { writes: alter(writes), answer };
      }),
  }));

/** Some rows that are due are never claimed. */
const withoutClaims = (leave: (table: ClaimQuery['table'], row: object) => boolean): WorkSubject =>
  withStorage((storage) => ({
    claim: async (query) => (await storage.claim(query)).filter((row) => !leave(query.table, row)),
  }));

const withStart = (startRunWith: WorkSubject['startRunWith']): WorkSubject => alteredWork({ startRunWith });

const hour = 3_600_000;

/** What is reported to webhooks. */
const deliveryFaults: readonly WorkFault[] = [
  {
    name: 'a delivery is sent twice in one try',
    rule: 'sent_again_only_after_an_unknown',
    subject: withSender((send) => async (delivery) => {
      await send(delivery);
      return send(delivery);
    }),
  },
  {
    name: 'what was accepted is taken for refused, and sent again',
    rule: 'honest_receivers_are_told',
    subject: withSender((send) => async (delivery) => {
      const outcome = await send(delivery);
      return isAccepted(outcome) ? { kind: 'unreachable' } : outcome;
    }),
  },
  {
    name: 'a receiver that refuses once is given up',
    rule: 'every_end_is_told',
    subject: withSender((send) => async (delivery) => {
      const outcome = await send(delivery);
      return isAccepted(outcome) ? outcome : { kind: 'refused' };
    }),
  },
  {
    name: 'what was never sent counts as delivered',
    rule: 'delivered_was_accepted',
    subject: withSender(() => () => Promise.resolve({ kind: 'answered', status: 200, retryAfterMs: null })),
  },
  {
    name: 'a receiver is never given up',
    rule: 'eight_tries_at_the_most',
    subject: withWrites((writes) =>
      writes.map((write) =>
        write.kind === 'put' && write.table === 'delivery' && write.record.status === 'failed'
          ? { ...write, record: { ...write.record, status: 'pending', dueAtMs: write.record.updatedAtMs + hour } }
          : write,
      ),
    ),
  },
  {
    name: 'an event is dropped by whoever comes to tell it',
    rule: 'every_end_is_told',
    subject: withWrites((writes) =>
      writes.filter((write) => !(write.kind === 'put' && write.table === 'delivery' && write.record.attempts === 0)),
    ),
  },
  {
    name: 'a delivery whose process died is left alone',
    rule: 'every_delivery_ends',
    subject: withoutClaims((table, row) => table === 'delivery' && 'attempts' in row && row.attempts === 1),
  },
];

/** What schedules open. */
const occurrenceFaults: readonly WorkFault[] = [
  {
    name: 'every try of an occurrence opens something of its own',
    rule: 'opened_for_its_occurrence',
    subject: {
      ...withStart(
        (engine, open) => (trigger, occurrence, identity) =>
          open(trigger, { ...occurrence, operationId: engine.newId() }, identity),
      ),
      createResource: (engine, { occurrence: _, ...plan }) => shippingWork.createResource(engine, plan),
    },
  },
  {
    name: 'a schedule goes on to the next instant without an occurrence',
    rule: 'every_due_instant_occurs',
    subject: withWrites((writes) => writes.filter((write) => write.kind === 'delete' || write.table !== 'occurrence')),
  },
  {
    name: 'nobody looks how an occurrence ended',
    rule: 'every_occurrence_ends',
    subject: withoutClaims((table, row) => table === 'occurrence' && 'status' in row && row.status === 'processing'),
  },
  {
    name: 'what an occurrence has opened is charged, and the occurrence says that it failed',
    rule: 'occurrence_as_its_operation',
    subject: withWrites((writes) =>
      writes.map((write) =>
        write.kind === 'put' && write.table === 'occurrence' && write.record.status === 'completed'
          ? { ...write, record: { ...write.record, status: 'failed' } }
          : write,
      ),
    ),
  },
];

export const eventFaults: readonly WorkFault[] = [...deliveryFaults, ...occurrenceFaults];
