import { respondAs } from './respond-as.ts';

/** Stands for the upstream, so that the tests need no network and no key. */
export const startUpstream = async () => {
  const { origin, close } = await respondAs({
    status: 200,
    body: {
      choices: [{ message: { role: 'assistant', content: 'Hello.' }, finish_reason: 'stop' }],
      usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
    },
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
