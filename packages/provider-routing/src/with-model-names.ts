import type { Provider } from '@tollgate/provider';
import { providerOfOne } from './routed-provider.ts';

/**
 * Asks for models by the names that this provider has for them, so that providers with different names can stand behind one.
 * A model that the table does not hold keeps its name.
 */
export const withModelNames = (provider: Provider, names: Readonly<Record<string, string>>): Provider => {
  const table = new Map(Object.entries(names));
  return providerOfOne(
    provider,
    (invocation) => invocation.ask(provider),
    (upstreamModel) => table.get(upstreamModel) ?? upstreamModel,
  );
};
