// Batches of generations and of embeddings, one of them cancelled in the middle: it asserts, and ends by itself.
import assert from 'node:assert/strict';
import { cancelBatch, createBatch, resultsOf, waitForBatch, type Target } from './batch-client.ts';
import { startGateway } from './start-gateway.ts';

const ask = (text: string) => ({ contents: [{ role: 'user', parts: [{ text }] }] });

/** Ten thousand tokens in and five thousand out: two credits directly, one in a batch. */
const oneCredit = '[[sandbox: tokens in=10000 out=5000]]';

const answerMany = async (target: Target): Promise<void> => {
  const requests = {
    capital: ask(`[[sandbox: echo Lisbon]] ${oneCredit}`),
    river: ask(`[[sandbox: echo Tejo]] ${oneCredit}`),
    broken: ask('[[sandbox: fail]]'),
  };
  const { id } = await createBatch(target, 'questions-1', requests);
  // The answer was lost on its way, say: the same request finds the same batch.
  assert.equal((await createBatch(target, 'questions-1', requests)).id, id);
  const batch = await waitForBatch(target, id);
  assert.deepEqual(
    [batch.status, batch.request_count, batch.completed_count, batch.failed_count, batch.charged_credits],
    ['completed', 3, 2, 1, 2],
  );
  const results = resultsOf(batch);
  assert.equal(results.get('capital')?.response?.candidates?.[0]?.content.parts[0]?.text, 'Lisbon');
  assert.equal(results.get('river')?.credits, 1);
  assert.equal(results.get('broken')?.error?.code, 'request_failed');
  console.log('ok  two of three answered, found by key, charged one by one at half the price');
};

const embedMany = async (target: Target): Promise<void> => {
  const requests = Object.fromEntries(
    Array.from({ length: 20 }, (_, place) => [
      `document-${place}`,
      { input: `Document number ${place}.`, dimensions: 256, task_type: 'RETRIEVAL_DOCUMENT' },
    ]),
  );
  const { id } = await createBatch(target, 'documents-1', requests);
  const batch = await waitForBatch(target, id);
  assert.equal(batch.completed_count, 20);
  for (const { response } of resultsOf(batch).values()) assert.equal(response?.data?.[0]?.embedding.length, 256);
  console.log('ok  twenty documents embedded');
};

const cancelInTheMiddle = async (target: Target): Promise<void> => {
  const requests = Object.fromEntries(
    Array.from({ length: 40 }, (_, place) => [`slow-${place}`, ask(`[[sandbox: slow 200]] ${oneCredit}`)]),
  );
  const { id } = await createBatch(target, 'slow-1', requests);
  await waitForBatch(target, id, ({ completed_count: completed }) => completed >= 4);
  await cancelBatch(target, id);
  const batch = await waitForBatch(target, id);
  const statuses = [...resultsOf(batch).values()].map(({ status }) => status);
  const completed = statuses.filter((status) => status === 'completed').length;
  assert.ok(completed >= 4 && completed < 40, `${completed} were completed`);
  assert.equal(statuses.filter((status) => status === 'cancelled').length, 40 - completed);
  assert.deepEqual([batch.status, batch.charged_credits], ['completed', completed]);
  console.log(`ok  cancelled after ${completed} of 40, which are charged`);
};

const gateway = await startGateway();
try {
  const generating = { baseUrl: gateway.baseUrl, key: await gateway.createKey('open-4-31b-it') };
  const embedding = { baseUrl: gateway.baseUrl, key: await gateway.createKey('embedding-001') };
  await answerMany(generating);
  await embedMany(embedding);
  await cancelInTheMiddle(generating);
  assert.deepEqual((await gateway.admin.audit()).violations, []);
} finally {
  await gateway.close();
}
