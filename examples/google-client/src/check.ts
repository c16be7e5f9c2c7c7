// The unmodified clients of Google's Gemini API against a gateway: every story asserts, and the whole ends by itself.
import assert from 'node:assert/strict';
import { GoogleGenAI } from '@google/genai';
import { embeddings, langchainEmbeddings } from './embedding-stories.ts';
import { files } from './file-story.ts';
import { countTokens, functionLoop, generate, jsonSchema, refusal, replay, stream } from './genai-stories.ts';
import { langchainChat, langchainTools } from './langchain-stories.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';

const tellStories = async (gateway: StartedGateway): Promise<void> => {
  const httpOptions = { baseUrl: gateway.baseUrl };
  const client = new GoogleGenAI({ apiKey: gateway.key, httpOptions });
  for (const story of [generate, stream, functionLoop, jsonSchema, countTokens, replay, refusal, files]) {
    await story(client);
    console.log(`ok  ${story.name}`);
  }
  await embeddings(new GoogleGenAI({ apiKey: gateway.embeddingKey, httpOptions }));
  console.log(`ok  ${embeddings.name}`);
  for (const story of [langchainEmbeddings, langchainChat, langchainTools]) {
    await story(gateway);
    console.log(`ok  ${story.name}`);
  }
};

/** Each answer was paid once. Counting, refusals, replays and files are no operations. */
const operationsExpected = [
  ['generate', 11],
  ['embeddings', 2],
] as const;

const checkBooks = async ({ admin }: StartedGateway): Promise<void> => {
  const [account] = await admin.listAccounts();
  assert.ok(account);
  const operations = await admin.listOperations({ kind: 'account', accountId: account.id });
  for (const [kind, count] of operationsExpected) {
    const states = operations.filter((operation) => operation.kind === kind).map(({ state }) => state);
    assert.deepEqual(
      states,
      Array.from({ length: count }, () => 'completed'),
      kind,
    );
  }
  assert.deepEqual((await admin.audit()).violations, []);
};

const gateway = await startGateway();
try {
  await tellStories(gateway);
  await checkBooks(gateway);
} finally {
  await gateway.close();
}
