// The unmodified `openai` package against a gateway: every story asserts, and the whole ends by itself.
import assert from 'node:assert/strict';
import OpenAI from 'openai';
import { startGateway, type StartedGateway } from './start-gateway.ts';
import { chat, image, recover, replay, stream, toolLoop, uncertain } from './stories.ts';

const operationsOf = async ({ admin }: StartedGateway): Promise<readonly { readonly state: string }[]> => {
  const [account] = await admin.listAccounts();
  assert.ok(account);
  return admin.listOperations({ kind: 'account', accountId: account.id });
};

const tellStories = async (client: OpenAI, gateway: StartedGateway): Promise<void> => {
  for (const story of [chat, stream, toolLoop, image, replay, recover]) {
    await story(client);
    console.log(`ok  ${story.name}`);
  }
  const before = (await operationsOf(gateway)).length;
  const requestId = await uncertain(client);
  assert.equal((await operationsOf(gateway)).length, before + 1);
  const operation = await gateway.admin.readOperation(requestId);
  assert.equal(operation?.state, 'uncertain');
  console.log(`ok  ${uncertain.name}`);
  assert.deepEqual((await gateway.admin.audit()).violations, []);
};

const gateway = await startGateway();
try {
  await tellStories(new OpenAI({ baseURL: gateway.baseUrl, apiKey: gateway.key }), gateway);
} finally {
  await gateway.close();
}
