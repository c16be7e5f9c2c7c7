import {
  callable,
  credential,
  foreign,
  list,
  oneOf,
  optionsCheck,
  required,
  table,
  text,
  timerMs,
  webAddress,
  whole,
} from '@tollgate/contract/configuration';
import { cachePromptsWays } from './cache-control.ts';
import type { AnthropicProviderOptions, LimitOptions, RetryOptions } from './upstream.ts';

const limits = optionsCheck<LimitOptions>({
  timeoutMs: timerMs({ min: 1 }),
  streamTimeoutMs: timerMs({ min: 1 }),
  responseBytesMax: whole({ min: 1 }),
  eventBytesMax: whole({ min: 1 }),
  inlineBytesMax: whole(),
  batchBytesMax: whole({ min: 1 }),
  modelRoundsMax: whole({ min: 1 }),
});

/** What each option may be: `AnthropicProviderOptions` says what it does. */
export const anthropicOptionsCheck = optionsCheck<AnthropicProviderOptions>({
  apiKey: required(credential()),
  baseUrl: webAddress(),
  version: text(),
  beta: list(text()),
  name: text(),
  headers: table(credential({ charsMin: 0 })),
  connections: whole({ min: 1 }),
  limits,
  retry: optionsCheck<RetryOptions>({ attemptsMax: whole({ min: 1 }), waitMsMax: timerMs() }),
  cachePrompts: oneOf(...cachePromptsWays),
  standardTier: oneOf('sent', 'left_out'),
  modelTraits: callable(),
  dispatcher: foreign(),
  now: callable(),
  sleep: callable(),
  newCallId: callable(),
});
