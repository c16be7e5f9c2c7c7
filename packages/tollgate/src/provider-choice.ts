import type { CatalogModel } from '@tollgate/contract';
import {
  acceptedWords,
  faultAt,
  isConfigurationError,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import { providerCheck, type Provider } from '@tollgate/provider';
import type { GatewayOptions } from './gateway-options.ts';

type Faults = readonly ConfigurationFault[];

type GivenProvider = NonNullable<GatewayOptions['provider']>;

type Resolver = Extract<GivenProvider, (model: CatalogModel) => unknown>;

export type ProviderOf = (model: CatalogModel) => Provider | null;

const place = 'provider';
const accepted =
  'is a provider, such as sandboxProvider() returns, or a function from an entry of the catalog to one, or to null';

/** A resolver may look a model up in a table of its own, where most are missing. */
export const providerChoice = (provider: GivenProvider): ProviderOf =>
  typeof provider === 'function' ? (model) => provider(model) ?? null : () => provider;

/** The error of a factory of providers names the factory. */
const isFactory = (resolver: Resolver, thrown: unknown): boolean =>
  isConfigurationError(thrown) && resolver.name !== '' && thrown.message.startsWith(`${resolver.name}: `);

const thrownFaults = (resolver: Resolver, { id }: CatalogModel, thrown: unknown): Faults =>
  isFactory(resolver, thrown)
    ? faultAt(
        place,
        `is the function ${resolver.name}, which takes options and no entry of the catalog`,
        `is the provider that it returns: did you mean ${resolver.name}()?`,
      )
    : faultAt(place, `throws for the model '${id}': ${String(thrown)}`, accepted);

/**
 * Asks a resolver for each row that is sold: it must not throw, what it returns must be a provider, and it must not return
 * undefined for all of them, as a function does that lacks its `return`. Null for all of them is a choice.
 */
export const resolverFaults = (resolver: Resolver, rows: readonly CatalogModel[]): Faults => {
  let isUndefined = rows.length > 0;
  for (const row of rows) {
    try {
      const found: unknown = resolver(row);
      isUndefined &&= found === undefined;
      const faults =
        found === undefined || found === null ? [] : providerCheck.faultsOf(found, `${place}('${row.id}')`);
      if (faults.length > 0) return faults;
    } catch (thrown) {
      return thrownFaults(resolver, row, thrown);
    }
  }
  const models = rows.map(({ id }) => id);
  const named = acceptedWords('', models).replace(/^(?:is|are) /, '');
  return isUndefined ? faultAt(place, `returns undefined for every model: ${named}`, accepted) : [];
};
