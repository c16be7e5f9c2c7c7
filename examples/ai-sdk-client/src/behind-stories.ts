import assert from 'node:assert/strict';
import { aiSdkProvider } from '@tollgate/provider-ai-sdk';
import { generateText, streamText, type LanguageModel } from 'ai';
import { microsFromCredits } from 'tollgate';
import { countingModel } from './counting-model.ts';
import { startGateway, type StartedGateway } from './start-gateway.ts';

/** A gateway whose upstream is a model object. A word costs a thousandth of a credit, whichever way it goes. */
export const startBeforeModel = (): Promise<StartedGateway> =>
  startGateway({
    provider: aiSdkProvider({ name: 'counting', languageModel: countingModel }),
    tariff: {
      version: '1',
      models: { '*': { perMillion: { input_text_tokens: '1000', output_text_tokens: '1000' } } },
    },
  });

const prompt = 'One two three four five';
const answered = 'You said 5 words.';
/** Five words in, four words out. */
const chargedMicros = microsFromCredits('0.009');

const assertCharged = async ({ admin }: StartedGateway, requestId: string | undefined): Promise<void> => {
  const operation = await admin.readOperation(requestId ?? '');
  assert.equal(operation?.state, 'completed');
  assert.equal(operation.chargedMicros, chargedMicros);
  assert.deepEqual(
    operation.attempts.map(({ provider, outcome }) => `${provider} ${outcome}`),
    ['counting answered'],
  );
};

export const textBehind = async (gateway: StartedGateway, model: LanguageModel): Promise<void> => {
  const answer = await generateText({ model, prompt, maxRetries: 0 });
  assert.equal(answer.text, answered);
  await assertCharged(gateway, answer.response.headers?.['x-request-id']);
};

export const streamBehind = async (gateway: StartedGateway, model: LanguageModel): Promise<void> => {
  const answer = streamText({ model, prompt, maxRetries: 0 });
  assert.equal(await answer.text, answered);
  const { headers } = await answer.response;
  await assertCharged(gateway, headers?.['x-request-id']);
};
