import { respondAs } from './respond-as.ts';

/** A chunk of a stream. */
const chunkOf = (delta: object, finish_reason: string | null, rest: object = {}): string =>
  `data: ${JSON.stringify({ object: 'chat.completion.chunk', choices: [{ index: 0, delta, finish_reason }], ...rest })}`;

/** Stands for the upstream, so that the tests need no network and no key. */
export const startUpstream = async () => {
  const { origin, close } = await respondAs({
    status: 200,
    body: {
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
    },
    events: [
      chunkOf({ role: 'assistant', content: 'Hel' }, null),
      chunkOf({ content: 'lo.' }, null),
      chunkOf({}, 'stop'),
      chunkOf({}, null, { choices: [], usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 } }),
      'data: [DONE]',
    ],
  });
  return {
    environment: {
      OPENAI_BASE_URL: `${origin}/v1`,
      OPENAI_API_KEY: 'test',
      SMALL_MODEL: 'upstream-small',
      LARGE_MODEL: 'upstream-large',
    },
    close,
  };
};
