import type { ProviderFiles } from '@tollgate/provider';
import type { GatewayOptions } from './gateway-options.ts';
import type { ProviderOf } from './provider-choice.ts';

/** What the provider of a name does with files; providers are known by the rows they serve. */
export const fileCopiesOf =
  (catalog: NonNullable<GatewayOptions['catalog']>, providerOf: ProviderOf) =>
  (name: string): ProviderFiles | null => {
    for (const model of catalog) {
      const provider = providerOf(model);
      if (provider?.name === name) return provider.files ?? null;
    }
    return null;
  };
