import { chatBounds, embeddingBounds, limits } from '@tollgate/contract';
import { flag, optionsCheck, whole } from '@tollgate/contract/configuration';
import type { Compatibility } from './service.ts';

/** Each way to be compatible, its limits within what the contract lets a host raise. */
export const compatibilityCheck = optionsCheck<Compatibility>({
  openai: flag(),
  google: flag(),
  anthropic: flag(),
  ollama: flag(),
  snakeCase: flag(),
  streamInTime: flag(),
  messagesMax: whole({ min: limits.chat.messagesMax, max: chatBounds.messagesCeiling }),
  textsMax: whole({ min: limits.embedding.textsMax, max: embeddingBounds.textsCeiling }),
});
