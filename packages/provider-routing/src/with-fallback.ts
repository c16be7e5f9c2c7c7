import { optionsCheck, text } from '@tollgate/contract/configuration';
import type { Provider } from '@tollgate/provider';
import { askInOrder } from './ask-in-order.ts';
import { providerOfMany } from './routed-provider.ts';
import { checkRouting } from './check-routing.ts';

export interface FallbackOptions {
  /** Stands in logs, and on attempts that no provider served (default `fallback`). */
  readonly name?: string;
}

const fallbackCheck = optionsCheck<FallbackOptions>({ name: text() });

/**
 * Asks the first provider, and the next one only where it is certain that nothing ran (`rate_limited`, `unavailable`,
 * `failed`) and no piece was handed over; never after the upstream refused content or a setting. A provider without a method, or
 * that cannot express the call (`unsupported`), is passed over.
 */
export const withFallback = (providers: readonly Provider[], options: FallbackOptions = {}): Provider => {
  checkRouting('withFallback', providers, fallbackCheck, options);
  return providerOfMany(options.name ?? 'fallback', providers, (invocation) => askInOrder(providers, invocation));
};
