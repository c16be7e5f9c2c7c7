import type { ClientRequest } from './client-request.ts';
import type { ProviderScript } from './provider-script.ts';

/** One call that reached the provider: what the recorder remembers for good. */
export interface Execution {
  readonly operationId: string;
  readonly request: ClientRequest;
  readonly script: ProviderScript;
  /** The provider has done with it, whether or not the response arrived. */
  finished: boolean;
}
