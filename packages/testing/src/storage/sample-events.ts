import type { Tables } from '@tollgate/storage';

type SampleEvents = {
  readonly [T in 'balanceAlert' | 'hostEvent' | 'moveLog' | 'outbox' | 'delivery']: (id: string) => Tables[T];
};

/** A plain valid record of each table of events, and of what balances are compared with. */
export const sampleEvents: SampleEvents = {
  balanceAlert: (id) => ({ id, lowBalanceMicros: null, toppedMicros: 100n }),
  hostEvent: (id) => ({
    id,
    kind: 'settled',
    accountId: 'account',
    operationId: 'operation',
    facts: {},
    attempts: 0,
    owner: null,
    dueAtMs: null,
    createdAtMs: 1,
  }),
  moveLog: (id) => ({ id, accountId: 'account', keys: [{ table: 'wallet', id: 'account' }], createdAtMs: 1 }),
  outbox: (id) => ({
    id,
    eventId: 'eventId',
    projectId: 'projectId',
    eventType: 'eventType',
    body: 'body',
    hooks: [],
    owner: null,
    dueAtMs: null,
    createdAtMs: 1,
  }),
  delivery: (id) => ({
    id,
    webhookId: 'webhookId',
    eventId: 'eventId',
    operationId: 'operationId',
    projectId: 'projectId',
    eventType: 'eventType',
    body: 'body',
    status: 'pending',
    attempts: 1,
    httpStatus: null,
    owner: null,
    dueAtMs: null,
    createdAtMs: 1,
    updatedAtMs: 1,
  }),
};
