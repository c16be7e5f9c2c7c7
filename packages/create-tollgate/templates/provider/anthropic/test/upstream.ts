import { respondAs } from './respond-as.ts';

/** Stands for the upstream, so that the tests need no network and no key. */
export const startUpstream = async () => {
  const { origin, close } = await respondAs({
    status: 200,
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'upstream-small',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1_000, output_tokens: 100 },
    },
  });
  return {
    environment: {
      ANTHROPIC_BASE_URL: origin,
      ANTHROPIC_API_KEY: 'test',
      SMALL_MODEL: 'upstream-small',
      LARGE_MODEL: 'upstream-large',
    },
    close,
  };
};
