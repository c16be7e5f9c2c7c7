// The AI SDK on both sides of a gateway: as the client in two dialects, and as the model that the gateway sells.
import assert from 'node:assert/strict';
import type { LanguageModel } from 'ai';
import { sandboxProvider } from 'tollgate';
import { startBeforeModel, streamBehind, textBehind } from './behind-stories.ts';
import { compatibleModel, googleModel } from './client-models.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';
import { object, stream, text, tools } from './stories.ts';

type Story = (gateway: StartedGateway, model: LanguageModel) => Promise<void>;

const clients = [compatibleModel, googleModel];

const tellStories = async (gateway: StartedGateway, stories: readonly (readonly [string, Story])[]): Promise<void> => {
  for (const client of clients) {
    const model = client(gateway);
    for (const [name, story] of stories) {
      await story(gateway, model);
      console.log(`ok  ${name} with ${client.name}`);
    }
  }
  assert.deepEqual((await gateway.admin.audit()).violations, []);
};

const asClient = [text, stream, tools, object].map(
  (story) => [story.name, (_, model) => story(model)] as const satisfies readonly [string, Story],
);
const asModel = [textBehind, streamBehind].map((story) => [story.name, story] as const);

const gateways = [
  { start: () => startGateway({ provider: sandboxProvider() }), stories: asClient },
  { start: startBeforeModel, stories: asModel },
];

for (const { start, stories } of gateways) {
  const gateway = await start();
  try {
    await tellStories(gateway, stories);
  } finally {
    await gateway.close();
  }
}
