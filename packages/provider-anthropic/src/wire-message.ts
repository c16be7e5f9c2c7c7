import type { JsonObject } from '@tollgate/provider';

/** One message of a request; roles alternate. */
export interface WireMessage {
  readonly role: 'user' | 'assistant';
  readonly content: readonly JsonObject[];
}
