import type { TableName, Tables, Write } from '@tollgate/storage';

/** A plain valid record of each table, for cases that only mind a field or two. */
export const sampleRecords: { readonly [T in TableName]: (id: string) => Tables[T] } = {
  account: (id) => ({ id, name: 'Ada', status: 'active', createdAtMs: 1 }),
  wallet: (id) => ({ id, balanceMicros: 100n, reservedMicros: 0n, seq: 1, entrySeq: 1 }),
  project: (id) => ({ id, accountId: 'account', name: 'Engine', status: 'active', createdAtMs: 1 }),
  apiKey: (id) => ({
    id,
    projectId: 'project',
    accountId: 'account',
    name: 'key',
    model: null,
    secretHash: 'hash',
    status: 'active',
    createdAtMs: 1,
    revokedAtMs: null,
  }),
  operation: (id) => ({
    id,
    projectId: 'project',
    accountId: 'account',
    keyId: 'key',
    kind: 'chat',
    model: 'model',
    identity: null,
    fingerprint: 'fingerprint',
    state: 'processing',
    holdMicros: 10n,
    chargedMicros: 0n,
    captures: 0,
    pendingMicros: null,
    absorbedMicros: 0n,
    tariffVersion: 'tariff',
    usage: null,
    attempts: [],
    errorCode: null,
    answerForm: 'json',
    answer: 'none',
    owner: null,
    dueAtMs: null,
    createdAtMs: 1,
    updatedAtMs: 1,
    endedAtMs: null,
  }),
  answer: (id) => ({ id, body: '{}', bytes: 2, createdAtMs: 1 }),
  identity: (id) => ({ id, operationId: 'operation', fingerprint: 'fingerprint', createdAtMs: 1 }),
  toolContext: (id) => ({ id, context: 'context', owner: null, dueAtMs: null }),
  entry: (id) => ({
    id,
    accountId: 'account',
    seq: 1,
    kind: 'deposit',
    amountMicros: 100n,
    operationId: null,
    tariffVersion: null,
    reference: null,
    walletSeq: 1,
    createdAtMs: 1,
  }),
  deposit: (id) => ({ id, entryId: 'entry', amountMicros: 100n }),
  tariff: (id) => ({ id, body: {}, createdAtMs: 1 }),
  anomaly: (id) => ({
    id,
    operationId: 'operation',
    accountId: 'account',
    code: 'late_failure',
    detail: {},
    createdAtMs: 1,
  }),
  setting: (id) => ({ id, value: 'value' }),
  file: (id) => ({
    id,
    projectId: 'project',
    accountId: 'account',
    keyId: 'key',
    displayName: 'a file',
    mimeType: 'text/plain',
    sizeBytes: 4,
    sha256: 'hash',
    status: 'active',
    provider: null,
    model: null,
    notes: {},
    uses: 0,
    errorCode: null,
    owner: null,
    dueAtMs: null,
    expiresAtMs: 2,
    createdAtMs: 1,
    updatedAtMs: 1,
    deletedAtMs: null,
  }),
  fileUse: (id) => ({ id, fileId: 'file', operationId: 'operation', owner: null, dueAtMs: null, createdAtMs: 1 }),
  pendingBlob: (id) => ({ id, owner: null, dueAtMs: null }),
};

/** A sample of the table with some fields replaced, for code that serves all tables alike. */
export const sampleWith = (
  table: TableName,
  id: string,
  fields: Readonly<Record<string, unknown>>,
): Tables[TableName] => ({
  ...sampleRecords[table](id),
  ...fields,
});

/** The write that adds the record to its table. */
export const writeOf = (table: TableName, record: Tables[TableName]): Write => {
  const kind = table === 'entry' || table === 'anomaly' ? 'append' : 'put';
  // The caller pairs a table with a record of it; the kind follows from the table.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { kind, table, record } as Write;
};
