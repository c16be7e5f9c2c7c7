import { tableColumns, writeOf, type TableName, type Write } from '@tollgate/storage';
import { sampleWith } from '../../testing/src/storage/sample-records.ts';

const columnsOf = (table: TableName, fields: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(fields).filter(([name]) => Object.hasOwn(tableColumns[table], name)));

const recordOf = (table: TableName, id: string, fields: Readonly<Record<string, unknown>> = {}): Write =>
  writeOf(table, sampleWith(table, id, columnsOf(table, fields)));

/** Records of every table for an account, whose ids have the forms that the gateway gives them. */
export const recordsOfAccount = (account: string, dueAtMs: number | null): readonly Write[] => {
  const [project, key, operation, file, trigger, token] = [
    'project',
    'key',
    'operation',
    'file',
    'trigger',
    'token',
  ].map((name) => `${account}-${name}`);
  const record = (table: TableName, id: string, fields: Readonly<Record<string, unknown>> = {}): Write =>
    recordOf(table, id, { dueAtMs, ...fields });
  const named = { accountId: account, projectId: project, keyId: key };
  return [
    record('account', account),
    record('wallet', account),
    record('balanceAlert', account),
    record('debt', account),
    record('topUp', account),
    record('project', `${project}`, named),
    record('apiKey', `${key}`, named),
    record('browserToken', `${token}`, named),
    record('operation', `${operation}`, named),
    record('resource', `${operation}`, { ...named, work: { input: { blobKey: `inputs/${account}` } }, uses: 1 }),
    record('file', `${file}`, { ...named, uses: 1 }),
    record('trigger', `${trigger}`, named),
    record('projectUsage', `${project}`),
    record('subscriptions', `${project}`),
    record('answer', `${operation}`),
    record('outbox', `${operation}`, named),
    record('liveSession', `${operation}`, named),
    record('environmentTree', `${operation}`, named),
    record('identity', `${project}:once`, { operationId: operation }),
    record('toolContext', `${project}:call`),
    record('undelivered', `${key}`),
    record('undelivered', `${key}:fingerprint`),
    record('spend', `${key}:month:all`),
    record('spend', `token:${token}`),
    record('deposit', `${account}:reference`),
    record('fileUse', `${file}:${operation}`, { fileId: file, operationId: operation }),
    record('resourceUse', `${operation}:${operation}`, { resourceId: operation, operationId: operation }),
    record('batchItem', `${operation}:0000`, { batchId: operation }),
    record('occurrence', `${trigger}:1`, { ...named, triggerId: trigger }),
    record('webhook', `${account}-webhook`, named),
    record('webhook', `${account}-disabled`, { ...named, disabledAtMs: 5 }),
    record('delivery', `event:${account}-webhook`, named),
    record('pendingBlob', `files/${file}`),
    record('pendingBlob', `answers/${operation}`),
    record('pendingBlob', `inputs/${account}`),
    record('pendingBlob', `uploads/${project}/session/0`),
    record('payment', `${account}-payment`, named),
    record('paymentOrder', `${account}-order`, named),
    record('hostEvent', `${account}-event`, named),
    record('anomaly', `${account}-anomaly`, named),
    record('usageLine', `${account}-line`, { ...named, createdAtMs: 5 }),
    record('usageHour', `${account}-hour`, { ...named, startMs: 0 }),
    record('usageDay', `${account}-day`, { ...named, startMs: 0 }),
    ...[1, 2, 3].map((seq) => record('entry', `${account}:${seq}`, { ...named, seq })),
  ];
};
