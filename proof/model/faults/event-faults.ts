import { eventTheme } from '../event-theme.ts';
import { eventIdOf } from '../event-command.ts';
import { amend, blur, rewrite, without, type Fault } from './fault.ts';

const theme = eventTheme;

/** The events that webhooks get. */
const hookFaults: readonly Fault[] = [
  {
    name: 'leaves the event of a settlement to a later step',
    theme,
    caughtBy: 'event_with_its_end',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'outbox'),
          answer,
        })),
    }),
  },
  {
    name: 'tells nobody of a failure',
    theme,
    caughtBy: 'event_with_its_end',
    put: (real) => ({
      fail: (command) =>
        amend(real.fail(command), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'outbox'),
          answer,
        })),
    }),
  },
  {
    name: 'tells of an operation that is in doubt',
    theme,
    caughtBy: 'event_with_its_end',
    put: (real) => ({
      doubt: (command) =>
        amend(real.doubt(command), (decision, _, nowMs) => {
          const { answer, writes } = decision;
          if (answer.kind !== 'uncertain') return decision;
          const { id, projectId } = answer.operation;
          const event = {
            id,
            eventId: eventIdOf(id),
            projectId,
            eventType: 'request.completed',
            body: '',
            hooks: ['h1'],
          };
          const record = { ...event, owner: null, dueAtMs: nowMs, createdAtMs: nowMs };
          return { answer, writes: [...writes, { kind: 'put', table: 'outbox', record }] };
        }),
    }),
  },
  {
    name: 'tells again when a settlement is sent again',
    theme,
    caughtBy: 'event_with_its_end',
    put: (real) => ({
      settle: (command) =>
        amend(real.settle(command), (decision, _, nowMs) => {
          const { answer, writes } = decision;
          if (answer.kind !== 'ended' || answer.operation.state !== 'completed') return decision;
          const { id, projectId } = answer.operation;
          const event = {
            id,
            eventId: eventIdOf(id),
            projectId,
            eventType: 'request.completed',
            body: '',
            hooks: ['h1'],
          };
          const record = { ...event, owner: null, dueAtMs: nowMs, createdAtMs: nowMs };
          return {
            writes: [...writes, { kind: 'put', table: 'outbox', record }],
            answer: { kind: 'settled', operation: answer.operation, walletSeq: 0 },
          };
        }),
    }),
  },
  {
    name: 'goes on telling a webhook that is paused',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      changeWebhook: (command) =>
        amend(real.changeWebhook(command), (decision) =>
          command.kind === 'set_enabled' && !command.enabled
            ? { ...decision, writes: without(decision.writes, (write) => write.table === 'subscriptions') }
            : decision,
        ),
    }),
  },
  {
    name: 'tells every webhook of everything',
    theme,
    caughtBy: 'event_with_its_end',
    put: (real) => ({
      settle: (command) =>
        blur(real.settle(command), 'subscriptions', (seen) => {
          // Written by the decisions of webhooks alone, which hold a list of hooks.
          const hooks = (seen?.hooks ?? []) as readonly { readonly id: string }[];
          return seen && { ...seen, hooks: hooks.map(({ id }) => ({ id, events: ['request.completed'] })) };
        }),
    }),
  },
  {
    name: 'brings a deleted webhook back',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      changeWebhook: (command) =>
        blur(real.changeWebhook(command), 'webhook', (seen) =>
          seen?.status === 'disabled' ? { ...seen, status: 'paused' } : seen,
        ),
    }),
  },
  {
    name: 'fans out for a claim that ran out',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      fanOut: (claimed) => blur(real.fanOut(claimed), 'outbox', (seen) => seen && { ...seen, owner: claimed.owner }),
    }),
  },
  {
    name: 'leaves an event that was fanned out',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      fanOut: (claimed) =>
        amend(real.fanOut(claimed), ({ writes, answer }) => ({
          writes: without(writes, (write) => write.table === 'outbox'),
          answer,
        })),
    }),
  },
];

/** Attempts to deliver. */
const deliveryFaults: readonly Fault[] = [
  {
    name: 'concludes an attempt of somebody else',
    theme,
    caughtBy: 'works_on_its_own',
    put: (real) => ({
      concludeDelivery: (command) =>
        blur(real.concludeDelivery(command), 'delivery', (seen) => seen && { ...seen, owner: command.claimedBy }),
    }),
  },
  {
    name: 'never gives a receiver up',
    theme,
    caughtBy: 'tries_are_bounded',
    put: (real) => ({
      concludeDelivery: (command) =>
        amend(real.concludeDelivery(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'delivery', (delivery) =>
            delivery.status === 'failed' ? { ...delivery, status: 'pending' } : delivery,
          ),
          answer: answer?.status === 'failed' ? { ...answer, status: 'pending' } : answer,
        })),
    }),
  },
  {
    name: 'tries again at once',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      concludeDelivery: (command) =>
        amend(real.concludeDelivery(command), ({ writes, answer }, _, nowMs) => ({
          writes: rewrite(writes, 'delivery', (delivery) => ({ ...delivery, dueAtMs: nowMs })),
          answer,
        })),
    }),
  },
  {
    name: 'does not heed a receiver that asks for more time',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      concludeDelivery: (command) =>
        real.concludeDelivery(
          command.outcome.kind === 'refused'
            ? { ...command, outcome: { ...command.outcome, retryAfterMs: null } }
            : command,
        ),
    }),
  },
  {
    name: 'makes another delivery when one is sent again',
    theme,
    caughtBy: 'one_delivery_an_event',
    put: (real) => ({
      redeliver: (command) =>
        amend(real.redeliver(command), ({ writes, answer }) => ({
          writes: rewrite(writes, 'delivery', (delivery) => ({ ...delivery, id: `${delivery.id}:again` })),
          answer,
        })),
    }),
  },
  {
    name: 'sends again what is under way',
    theme,
    caughtBy: 'records_as_the_model',
    put: (real) => ({
      redeliver: (command) =>
        blur(real.redeliver(command), 'delivery', (seen) =>
          seen?.status === 'pending' ? { ...seen, status: 'failed' } : seen,
        ),
    }),
  },
  {
    name: 'forgets a delivery that is under way',
    theme,
    caughtBy: 'answers_as_the_model',
    put: (real) => ({
      purgeDelivery: (claimed) =>
        blur(
          real.purgeDelivery(claimed),
          'delivery',
          (seen) => seen && { ...seen, owner: claimed.owner, status: 'failed' },
        ),
    }),
  },
];

export const eventFaults: readonly Fault[] = [...hookFaults, ...deliveryFaults];
