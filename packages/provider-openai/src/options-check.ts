import {
  byKind,
  callable,
  credential,
  foreign,
  oneOf,
  optionsCheck,
  required,
  table,
  text,
  timerMs,
  webAddress,
  whole,
} from '@tollgate/contract/configuration';
import type { OpenaiProviderOptions, RetryOptions } from './upstream.ts';

/** What each option may be: `OpenaiProviderOptions` says what it does. */
export const openaiOptionsCheck = optionsCheck<OpenaiProviderOptions>({
  baseUrl: required(webAddress()),
  apiKey: credential({ charsMin: 0 }),
  name: text(),
  headers: table(credential({ charsMin: 0 })),
  connections: whole({ min: 1 }),
  timeoutMs: timerMs({ min: 1 }),
  responseBytesMax: whole({ min: 1 }),
  retry: optionsCheck<RetryOptions>({ attemptsMax: whole({ min: 1 }), waitMsMax: timerMs() }),
  missingUsage: byKind({ text: oneOf('uncertain'), function: callable() }, "is 'uncertain' or a function"),
  tokenLimitField: oneOf('max_tokens', 'max_completion_tokens'),
  temperature: oneOf('sent', 'left_out'),
  topK: oneOf('sent', 'refused'),
  reasoning: oneOf('sent', 'refused'),
  streamOptions: oneOf('sent', 'left_out'),
  clientRequestId: oneOf('sent', 'left_out'),
  inlineBytesMax: whole(),
  dispatcher: foreign(),
  now: callable(),
  sleep: callable(),
  newCallId: callable(),
});
