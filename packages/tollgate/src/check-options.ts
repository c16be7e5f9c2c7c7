import { defaultCatalog, isUuid, type CatalogModel } from '@tollgate/contract';
import {
  acceptedWords,
  ConfigurationError,
  entryPlace,
  faultAt,
  indexPlace,
  memberPlace,
  tableOf,
  whole,
  type ConfigurationFault,
} from '@tollgate/contract/configuration';
import { defaultEngineLimits, parseTariff, unitBoundFaults, type PriceHole, type TariffInput } from '@tollgate/engine';
import { usageUnits } from '@tollgate/provider';
import type { GatewayOptions } from './gateway-options.ts';
import { gatewayOptionsCheck } from './gateway-options-check.ts';
import { holesOf } from './priced-models.ts';
import { resolverFaults } from './provider-choice.ts';
import { testModeTariff } from './test-mode-tariff.ts';
import { enabledEntries } from './enabled-entries.ts';

type Faults = readonly ConfigurationFault[];

/** What must fit together, and the options that it is about: it is asked where each of them is sound by itself. */
interface Rule {
  readonly about: readonly (keyof GatewayOptions)[];
  readonly faultsOf: (options: GatewayOptions) => Faults;
}

const idsOf = ({ catalog = defaultCatalog }: GatewayOptions): readonly string[] => catalog.map(({ id }) => id);

const unknownModel = (place: string, id: string, ids: readonly string[]): Faults =>
  faultAt(place, `names '${id}', which is no model of the catalog`, acceptedWords(id, ids));

/** The prices of every model that has no row of its own. */
const everyModel = '*';

/** The names of the units that a row bounds. */
const unitNames = tableOf(usageUnits, whole());

/** Each unit that keeps a model of the price list from being sold, with the routes that it is about. */
const holeFaults = ({ id }: CatalogModel, holes: readonly PriceHole[]): Faults =>
  [...Map.groupBy(holes, ({ unit }) => unit)].flatMap(([unit, about]) => {
    const place = memberPlace(entryPlace('tariff.models', id), 'perMillion');
    const families = about.map(({ family }) => family).join(', ');
    if (unit === null) return [];
    return about.some(({ reason }) => reason === 'unbounded')
      ? faultAt(
          memberPlace(place, unit),
          `is a price, and nothing bounds how much of the unit a call uses (${families})`,
          `is a bound: unitsMax.${unit} in the entry of the model in the catalog`,
        )
      : faultAt(
          memberPlace(place, unit),
          `is missing, so that every call would be refused (${families})`,
          "is a price of the unit, '0' included",
        );
  });

type Layers = NonNullable<TariffInput['plans']>;

/** The models that plans or customers name, and neither the list nor the catalog has: their prices would never hold. */
const layerFaults = (tariff: TariffInput, name: 'plans' | 'customers', ids: readonly string[]): Faults => {
  const layers: Layers = tariff[name] ?? {};
  const known = [...new Set([...ids, ...Object.keys(tariff.models)])].filter((id) => id !== everyModel);
  return Object.entries(layers).flatMap(([layer, { models = {} }]) =>
    Object.keys(models)
      .filter((id) => id !== everyModel && !known.includes(id))
      .flatMap((id) => unknownModel(entryPlace(`${entryPlace(`tariff.${name}`, layer)}.models`, id), id, known)),
  );
};

/** Customers are found by the id of their account alone. */
const customerFaults = ({ customers = {} }: TariffInput): Faults =>
  Object.keys(customers)
    .filter((id) => !isUuid(id))
    .flatMap((id) =>
      faultAt(
        entryPlace('tariff.customers', id),
        'is the id of no account',
        'is the uuid of an account, in lower case',
      ),
    );

const rules: readonly Rule[] = [
  {
    about: ['tariff', 'catalog'],
    faultsOf: (options) => {
      const { tariff } = options;
      if (tariff === undefined) return [];
      const ids = idsOf(options);
      return [
        ...layerFaults(tariff, 'plans', ids),
        ...layerFaults(tariff, 'customers', ids),
        ...customerFaults(tariff),
      ];
    },
  },
  {
    about: ['enabledModels', 'catalog'],
    faultsOf: (options) => {
      const ids = idsOf(options);
      return (options.enabledModels ?? []).flatMap((id, index) =>
        ids.includes(id) ? [] : unknownModel(indexPlace('enabledModels', index), id, ids),
      );
    },
  },
  {
    about: ['tariff', 'catalog'],
    faultsOf: (options) => {
      const ids = idsOf(options);
      return Object.keys(options.tariff?.models ?? {})
        .filter((id) => id !== everyModel && !ids.includes(id))
        .flatMap((id) => unknownModel(entryPlace('tariff.models', id), id, ids));
    },
  },
  {
    about: ['tariff', 'laterTariffs'],
    faultsOf: ({ tariff = testModeTariff, laterTariffs = [] }) => {
      const versions = [tariff, ...laterTariffs].map(({ version }) => version);
      return laterTariffs.flatMap(({ version, validFrom }, index) => {
        const place = indexPlace('laterTariffs', index);
        const isRepeated = versions.indexOf(version) !== index + 1;
        return [
          ...(validFrom === undefined
            ? faultAt(memberPlace(place, 'validFrom'), 'is missing', 'is the time from which the list holds')
            : []),
          ...(isRepeated
            ? faultAt(memberPlace(place, 'version'), `is '${version}', as another list has it`, 'is a name of its own')
            : []),
        ];
      });
    },
  },
  {
    about: ['tariff', 'catalog', 'enabledModels'],
    faultsOf: ({ tariff, catalog = defaultCatalog, enabledModels }) => {
      if (tariff === undefined) return [];
      const parsed = parseTariff(tariff);
      const isSold = ({ id }: CatalogModel): boolean =>
        Object.hasOwn(tariff.models, id) && (enabledModels?.includes(id) ?? true);
      return catalog.filter(isSold).flatMap((row) => holeFaults(row, holesOf(parsed, row)));
    },
  },
  {
    about: ['tariff', 'catalog'],
    faultsOf: ({ tariff, catalog = defaultCatalog }) => {
      const parsed = parseTariff(tariff ?? testModeTariff);
      // What the price list names has a fault at its price.
      const isNamed = ({ id }: CatalogModel): boolean => Object.hasOwn(tariff?.models ?? {}, id);
      return catalog.flatMap((row, index) =>
        isNamed(row) ? [] : unitBoundFaults(parsed, row, indexPlace('catalog', index)),
      );
    },
  },
  {
    about: ['provider', 'catalog', 'enabledModels'],
    faultsOf: (options) =>
      typeof options.provider === 'function' ? resolverFaults(options.provider, enabledEntries(options)) : [],
  },
  {
    about: ['indexing', 'catalog'],
    faultsOf: (options) => {
      const ids = idsOf(options);
      const model = options.indexing?.model;
      return model === undefined || ids.includes(model) ? [] : unknownModel('indexing.model', model, ids);
    },
  },
  {
    about: ['catalog'],
    faultsOf: ({ catalog = [] }) =>
      catalog.flatMap(({ unitsMax = {} }, index) =>
        unitNames.faultsOf(unitsMax, memberPlace(indexPlace('catalog', index), 'unitsMax')),
      ),
  },
  {
    about: ['webhooks', 'limits'],
    faultsOf: ({ webhooks = {}, limits = {} }) => {
      const attemptMs = webhooks === false ? 0 : (webhooks.attemptMs ?? 0);
      const leaseMs = limits.leaseMs ?? defaultEngineLimits.leaseMs;
      // Otherwise another process would send what is still being sent.
      return attemptMs * 2 <= leaseMs
        ? []
        : faultAt(
            memberPlace('webhooks', 'attemptMs'),
            `is ${attemptMs}`,
            `is at most half of limits.leaseMs, which is ${leaseMs}`,
          );
    },
  },
];

const isAbout = (place: string, name: string): boolean =>
  place === name || place.startsWith(`${name}.`) || place.startsWith(`${name}[`);

/** Every fault of a host's options: of each by itself, and of those that must fit together. */
const faultsOfOptions = (options: GatewayOptions): Faults => {
  const faults = gatewayOptionsCheck.faultsOf(options, '');
  if (typeof options !== 'object' || options === null) return faults;
  const isSound = (name: string): boolean => !faults.some(({ place }) => isAbout(place, name));
  return [...faults, ...rules.flatMap(({ about, faultsOf }) => (about.every(isSound) ? faultsOf(options) : []))];
};

/** Refuses options that cannot be meant, all their faults in one error, before anything is opened. */
export const checkOptions = (options: GatewayOptions): void => {
  const faults = faultsOfOptions(options);
  if (faults.length > 0) throw new ConfigurationError('createGateway', faults);
};
