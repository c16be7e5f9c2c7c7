import { complete, completeSimple, stream, Type, type Context, type Model } from '@mariozechner/pi-ai';
import { expect } from 'vitest';
import { describeClient, works, type Feature } from '../../test/clients/client-table.ts';
import { mediaSamples } from '../../test/clients/media-samples.ts';
import { boundModel, lastOf, type RunningGateway } from '../../test/clients/running-gateway.ts';

const weather = {
  name: 'get_weather',
  description: 'Tells the weather of a city.',
  parameters: Type.Object({ city: Type.String() }),
};

const modelOf = ({ baseUrl }: RunningGateway): Model<'openai-completions'> => ({
  id: boundModel,
  name: boundModel,
  api: 'openai-completions',
  provider: 'tollgate',
  baseUrl,
  reasoning: true,
  input: ['text', 'image'],
  cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
  contextWindow: 100_000,
  maxTokens: 1_000,
});

const user = (content: string): Context['messages'][number] => ({ role: 'user', content, timestamp: 0 });

const textOf = ({
  content,
}: {
  readonly content: readonly { readonly type: string; readonly text?: string }[];
}): string => content.flatMap(({ text }) => text ?? []).join('');

const features = (world: () => RunningGateway): readonly Feature[] => {
  const options = () => ({ apiKey: world().key });
  const ask = async (context: Context) => complete(modelOf(world()), context, options());
  return [
    works('complete', async () => {
      const answer = await ask({ systemPrompt: 'Be brief.', messages: [user('[[sandbox: echo Hello.]]')] });
      expect([textOf(answer), answer.stopReason, answer.usage.totalTokens > 0]).toEqual(['Hello.', 'stop', true]);
    }),
    works('stream', async () => {
      const texts: string[] = [];
      for await (const event of stream(modelOf(world()), { messages: [user('[[sandbox: echo Piece.]]')] }, options()))
        if (event.type === 'text_delta') texts.push(event.delta);
      expect(texts.join('')).toBe('Piece.');
    }),
    works('tool calls and their results', async () => {
      const messages = [user('[[sandbox: tool get_weather {"city":"Faro"}]]')];
      const first = await ask({ messages, tools: [weather] });
      const call = first.content.find(({ type }) => type === 'toolCall');
      if (call?.type !== 'toolCall') throw new Error(`no call: ${first.errorMessage ?? ''}`);
      expect(first.stopReason).toBe('toolUse');
      messages.push(first, {
        role: 'toolResult',
        toolCallId: call.id,
        toolName: call.name,
        content: [{ type: 'text', text: 'Windy.' }],
        isError: false,
        timestamp: 0,
      });
      expect(textOf(await ask({ messages, tools: [weather] }))).toContain('Windy.');
    }),
    works('an image, and the effort of the reasoning', async () => {
      const content = [{ type: 'image' as const, data: mediaSamples.png, mimeType: 'image/png' }];
      const context: Context = { messages: [{ role: 'user', content, timestamp: 0 }] };
      const answer = await completeSimple(modelOf(world()), context, { ...options(), reasoning: 'low' });
      expect(textOf(answer)).toContain('Media image/png');
      expect(lastOf(world().calls).thinking).toBeDefined();
    }),
  ];
};

describeClient({ name: '@mariozechner/pi-ai', manifest: new URL('package.json', import.meta.url), features });
