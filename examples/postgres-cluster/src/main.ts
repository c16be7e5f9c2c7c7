// Two gateways and a job worker on one PostgreSQL: what they keep to together, and what is left when one of them dies.
// Everything shown is compared with what it must be; the first difference ends the program with an error.
import assert from 'node:assert/strict';
import type { OperationRecord } from '@tollgate/storage';
import { startCluster, type Cluster, type StartedGateway } from './cluster.ts';
import { chat, errorOf, openCustomer, type Answer, type Customer } from './customer.ts';
import { until, untilWoken } from './waiting.ts';

const showReplay = async (a: StartedGateway, b: StartedGateway, customer: Customer): Promise<void> => {
  const asked = { content: '[[sandbox: echo Hello]]', identity: 'order-1' };
  const first = await chat(a.address, customer, asked);
  assert.deepEqual([first.status, first.isReplay], [200, false]);
  assert.deepEqual(await chat(b.address, customer, asked), { ...first, isReplay: true });
  console.log('ok  accepted by gateway a, and replayed by gateway b in the same bytes');
};

/** Waits for an operation that some process is running: the end of it is reported to all. */
const whenEnded = ({ admin, notifications }: Cluster, id: string): Promise<OperationRecord> =>
  untilWoken(notifications, 'the end of an operation', async () => {
    const operation = await admin.readOperation(id);
    return operation?.endedAtMs == null ? null : operation;
  });

const isTold = (answer: Answer, id: string, first: Answer): boolean =>
  answer.status === 409
    ? errorOf(answer).code === 'request_in_progress' && errorOf(answer).request_id === id
    : answer.isReplay && answer.text === first.text;

const showDuplicates = async (cluster: Cluster, gateways: readonly StartedGateway[], customer: Customer) => {
  const asked = { content: '[[sandbox: slow 1000]] [[sandbox: echo Once]]', identity: 'order-2' };
  const calls = [1, 2, 3, 4].flatMap(() => gateways.map(({ address }) => chat(address, customer, asked)));
  const told = await Promise.race(calls);
  const { code, request_id: id } = errorOf(told);
  assert.deepEqual([told.status, code], [409, 'request_in_progress']);
  const operation = await whenEnded(cluster, id);
  assert.deepEqual([operation.state, operation.attempts.length], ['completed', 1]);
  const answers = await Promise.all(calls);
  const [executed, ...others] = answers.filter(({ status, isReplay }) => status === 200 && !isReplay);
  assert.ok(executed);
  assert.equal(others.length, 0);
  assert.equal(answers.filter((answer) => answer === executed || isTold(answer, id, executed)).length, answers.length);
  for (const { address } of gateways)
    assert.deepEqual(await chat(address, customer, asked), { ...executed, isReplay: true });
  console.log(
    `ok  ${calls.length} equal requests at once to both: executed once, charged once, and the same to everybody`,
  );
};

const slow = '[[sandbox: slow 600000]]';

/** Sends a request whose generation takes far too long, and returns its operation once it runs. */
const beginSlow = async (
  { admin }: Cluster,
  { address }: StartedGateway,
  customer: Customer,
  identity: string,
): Promise<OperationRecord> => {
  // Its process will be killed: the connection breaks, and that is all the client hears.
  chat(address, customer, { content: slow, identity }).catch(() => undefined);
  const find = async (): Promise<OperationRecord | null> => {
    const operations = await admin.listOperations({ kind: 'account', accountId: customer.accountId });
    return operations.find((operation) => operation.identity === identity) ?? null;
  };
  const operation = await until('the start of an operation', find);
  assert.equal(operation.state, 'processing');
  return operation;
};

const whenUncertain = ({ admin }: Cluster, id: string): Promise<OperationRecord> =>
  until('an operation to be marked uncertain', async () => {
    const operation = await admin.readOperation(id);
    return operation?.state === 'uncertain' ? operation : null;
  });

const showKilledGateway = async (
  cluster: Cluster,
  [a, b]: readonly [StartedGateway, StartedGateway],
  customer: Customer,
) => {
  const { id, holdMicros } = await beginSlow(cluster, a, customer, 'order-3');
  const again = { content: slow, identity: 'order-3' };
  const running = errorOf(await chat(b.address, customer, again));
  assert.deepEqual(running, { status: 409, code: 'request_in_progress', request_id: id });
  await a.member.end('SIGKILL');
  console.log('    gateway a was killed in the middle of a generation');
  const operation = await whenUncertain(cluster, id);
  assert.ok(holdMicros > 0n);
  assert.deepEqual([operation.holdMicros, operation.chargedMicros], [holdMicros, 0n]);
  assert.equal((await cluster.admin.readWallet(customer.accountId))?.reservedMicros, holdMicros);
  const markedUncertain = errorOf(await chat(b.address, customer, again));
  assert.deepEqual(markedUncertain, { status: 409, code: 'settlement_pending', request_id: id });
  console.log('ok  the worker marked the operation uncertain: its hold is kept, and gateway b does not run it again');
  return operation;
};

const showKilledWorker = async (cluster: Cluster, customer: Customer): Promise<OperationRecord> => {
  const c = await cluster.startGateway('gateway c');
  const { id, holdMicros } = await beginSlow(cluster, c, customer, 'order-4');
  const worker = await cluster.startWorker('worker 2', 'stalls');
  await c.member.end('SIGKILL');
  assert.deepEqual((await worker.told('claimed')).operationIds, [id]);
  await worker.end('SIGKILL');
  console.log('    gateway c was killed, and then worker 2, which had taken charge of what it left');
  const claimed = await cluster.admin.readOperation(id);
  assert.deepEqual([claimed?.state, claimed?.owner?.startsWith('sweep:')], ['processing', true]);
  await cluster.startWorker('worker 3');
  const operation = await whenUncertain(cluster, id);
  assert.equal(operation.holdMicros, holdMicros);
  console.log('ok  worker 3 took over when the charge of worker 2 ran out');
  return operation;
};

const showBooks = async (
  { admin }: Cluster,
  { accountId }: Customer,
  [lost, billed]: readonly [OperationRecord, OperationRecord],
): Promise<void> => {
  assert.equal((await admin.readWallet(accountId))?.reservedMicros, lost.holdMicros + billed.holdMicros);
  const before = (await admin.readWallet(accountId))?.balanceMicros ?? 0n;
  assert.equal((await admin.resolveOperation(lost.id, { executed: false })).kind, 'resolved');
  assert.equal((await admin.resolveOperation(billed.id, { executed: true, amountMicros: 5_000n })).kind, 'resolved');
  const wallet = await admin.readWallet(accountId);
  assert.deepEqual([wallet?.balanceMicros, wallet?.reservedMicros], [before - 5_000n, 0n]);
  const { operations, violations, busy } = await admin.audit();
  assert.deepEqual({ operations, violations, busy }, { operations: 4, violations: [], busy: [] });
  console.log('ok  the operator decided both, and the ledger holds: 4 operations for 4 identities');
};

const show = async (cluster: Cluster): Promise<void> => {
  const customer = await openCustomer(cluster.admin);
  const a = await cluster.startGateway('gateway a');
  const b = await cluster.startGateway('gateway b');
  const worker = await cluster.startWorker('worker 1');
  await showReplay(a, b, customer);
  await showDuplicates(cluster, [a, b], customer);
  const lost = await showKilledGateway(cluster, [a, b], customer);
  assert.equal(await worker.end('SIGTERM'), 0);
  const billed = await showKilledWorker(cluster, customer);
  await showBooks(cluster, customer, [lost, billed]);
  assert.equal(await b.member.end('SIGTERM'), 0);
  console.log('ok  gateway b and worker 1 ended when they were asked to');
};

const cluster = await startCluster();
try {
  await show(cluster);
} finally {
  await cluster.end();
}
