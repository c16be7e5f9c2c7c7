import { respondAs } from './respond-as.ts';

/** An event of the Messages API. */
const eventOf = (type: string, fields: object = {}): string =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}`;

/** Stands for both upstreams: the first one is overloaded, and the reserve responds. */
export const startUpstream = async () => {
  const first = await respondAs({ status: 429, body: { error: { message: 'too many requests' } } });
  const reserve = await respondAs({
    status: 200,
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'reserve-small',
      content: [{ type: 'text', text: 'Hello.' }],
      stop_reason: 'end_turn',
      usage: { input_tokens: 1_000, output_tokens: 100 },
    },
    events: [
      eventOf('message_start', {
        message: {
          id: 'msg_1',
          type: 'message',
          role: 'assistant',
          model: 'reserve-small',
          content: [],
          stop_reason: null,
          usage: { input_tokens: 1_000, output_tokens: 1 },
        },
      }),
      eventOf('content_block_start', { index: 0, content_block: { type: 'text', text: '' } }),
      eventOf('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'Hel' } }),
      eventOf('content_block_delta', { index: 0, delta: { type: 'text_delta', text: 'lo.' } }),
      eventOf('content_block_stop', { index: 0 }),
      eventOf('message_delta', { delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 100 } }),
      eventOf('message_stop'),
    ],
  });
  return {
    environment: {
      OPENAI_BASE_URL: `${first.origin}/v1`,
      OPENAI_API_KEY: 'test',
      ANTHROPIC_BASE_URL: reserve.origin,
      ANTHROPIC_API_KEY: 'test',
      SMALL_MODEL: 'first-small',
      LARGE_MODEL: 'first-large',
      RESERVE_SMALL_MODEL: 'reserve-small',
      RESERVE_LARGE_MODEL: 'reserve-large',
    },
    close: () => {
      first.close();
      reserve.close();
    },
  };
};
