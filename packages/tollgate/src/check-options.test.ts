import { defaultCatalog } from '@tollgate/contract';
import { isConfigurationError } from '@tollgate/contract/configuration';
import { silentLogger } from '@tollgate/engine';
import type { Storage } from '@tollgate/storage';
import { openaiProvider } from '@tollgate/provider-openai';
import { sandboxProvider } from '@tollgate/provider-sandbox';
import { sqliteStorage } from '@tollgate/storage-sqlite';
import { describe, expect, test } from 'vitest';
import { checkOptions } from './check-options.ts';
import { createGateway } from './create-gateway.ts';
import type { GatewayOptions } from './gateway-options.ts';
import { testModeTariff } from './test-mode-tariff.ts';

/** Options as plain JavaScript writes them: of any shape. */
const given = (options: unknown): GatewayOptions => options as GatewayOptions;

/** The sentences of all faults. */
const faultsOf = async (options: unknown): Promise<readonly string[]> => {
  try {
    await createGateway(given(options));
  } catch (error) {
    if (isConfigurationError(error)) return error.faults.map(({ message }) => message);
    throw error;
  }
  return [];
};

const row = { perMillion: { input_text_tokens: '1', output_text_tokens: '4' } };
const priced = (models: unknown) => ({ tariff: { version: 'a', models } });

describe('prices over a list that would charge wrongly', () => {
  test.each<[over: object, message: string]>([
    [
      { plans: { pro: { models: { 'flash-9': row } } } },
      "tariff.plans['pro'].models['flash-9'] names 'flash-9', which is no model of the catalog",
    ],
    [
      { customers: { acme: {} } },
      "tariff.customers['acme'] is the id of no account; accepted is the uuid of an account",
    ],
    [
      { plans: { pro: { factor: '0' } } },
      'tariff.plans[\'pro\'].factor is the text "0", and would make everything free',
    ],
    [{ serviceTiers: { flex: 0 } }, 'tariff.serviceTiers.flex is 0, and would make everything free'],
    [{ markUp: '0.000000' }, 'tariff.markUp is the text "0.000000", and would make everything free'],
  ])('are refused by name: %j', async (over, message) => {
    const { tariff } = priced({ 'flash-3.8': row });
    expect(await faultsOf({ tariff: { ...tariff, ...over } })).toEqual([expect.stringContaining(message)]);
  });
});

describe('the prefix of the routes', () => {
  test.each(['', '/llm', '/api/v1/ai', '/a.b/c_d/~e'])('may be %j', (basePath) => {
    expect(() => checkOptions({ basePath })).not.toThrow();
  });

  test.each(['/', '/llm/', 'llm', '//llm', '/a//b', '/a b', '/a?b', '/{a}', 'https://host/llm', 7])(
    'is refused when it is %j',
    async (basePath) => {
      expect(await faultsOf({ basePath })).toEqual([expect.stringMatching(/^basePath is .*; accepted begins with a/)]);
    },
  );
});

describe('the word on the wire', () => {
  test.each(['service', 'acme', 'Acme-2'])('may be %j', (brand) => {
    expect(() => checkOptions({ brand })).not.toThrow();
  });

  test.each(['', 'a b', '2go', 'acme_', 'a:b', 'é'])('is refused when it is %j', async (brand) => {
    expect(await faultsOf({ brand })).toEqual([expect.stringMatching(/^brand is .*; accepted is a word of letters/)]);
  });
});

describe('the lengths of lists in a compatible mode', () => {
  test('may be raised, within bounds', () => {
    expect(() => checkOptions({ compatibility: { messagesMax: 10_000, textsMax: 2_048 } })).not.toThrow();
  });

  test.each([
    { messagesMax: 99 },
    { messagesMax: 10_001 },
    { messagesMax: 100.5 },
    { textsMax: 2_049 },
    { textsMax: 0 },
  ])('are refused when they are %j', async (compatibility) => {
    const [name = ''] = Object.keys(compatibility);
    expect(await faultsOf({ compatibility })).toEqual([
      expect.stringMatching(new RegExp(`^compatibility\\.${name} is .*accepted is a whole number from`)),
    ]);
  });
});

describe('names that are not known', () => {
  test.each([
    [{ tarif: testModeTariff }, 'tarif is not known', 'tariff'],
    [{ overrrun: 'absorb' }, 'overrrun is not known', 'overrun'],
    [{ limits: { leasMs: 30_000 } }, 'limits.leasMs is not known', 'leaseMs'],
    [{ compatibility: { openAI: true } }, 'compatibility.openAI is not known', 'openai'],
    [{ cors: { origins: '*', maxAgeSecond: 1 } }, 'cors.maxAgeSecond is not known', 'maxAgeSeconds'],
    [{ remoteImages: { deadlinMs: 1 } }, 'remoteImages.deadlinMs is not known', 'deadlineMs'],
    [{ webhooks: { atemptMs: 1 } }, 'webhooks.atemptMs is not known', 'attemptMs'],
    [{ live: { pingsMs: 1 } }, 'live.pingsMs is not known', 'pingMs'],
    [{ interactions: { modelRoundMax: 1 } }, 'interactions.modelRoundMax is not known', 'modelRoundsMax'],
    [{ indexing: { limits: { chunkMax: 1 } } }, 'indexing.limits.chunkMax is not known', 'chunksMax'],
    [{ batches: { itemAtOnce: 1 } }, 'batches.itemAtOnce is not known', 'itemsAtOnce'],
    [{ tools: { web_serch: {} } }, 'tools.web_serch is not known', 'web_search'],
    [{ decideUncertain: { afterMs: 1, verdikt: 'fail', verdict: 'fail' } }, 'decideUncertain.verdikt', 'verdict'],
    [priced({ '*': { ...row, holdMinimun: '1' } }), "tariff.models['*'].holdMinimun is not known", 'holdMinimum'],
    [
      priced({ '*': { perMillion: { ...row.perMillion, imagess: '1' } } }),
      "tariff.models['*'].perMillion.imagess is not known",
      'images',
    ],
    [priced({ '*': { ...row, batch: { facter: '1' } } }), "tariff.models['*'].batch.facter is not known", 'factor'],
    [priced({ '*': row, 'flash-38': row }), "tariff.models['flash-38'] names 'flash-38'", 'flash-3.8'],
    [{ enabledModels: ['flash-3.8', 'flsh-3.8'] }, "enabledModels[1] names 'flsh-3.8'", 'flash-3.8'],
    [{ catalog: [{ ...defaultCatalog[0], unitsMax: { image: 1 } }] }, 'catalog[0].unitsMax.image is', 'images'],
    [{ indexing: { model: 'embeding-2' } }, "indexing.model names 'embeding-2'", 'embedding-2'],
  ])('%j is refused with the place and the nearest right name', async (options, what, nearest) => {
    const [fault, ...more] = await faultsOf(options);
    expect(more).toEqual([]);
    expect(fault).toContain(what);
    expect(fault).toMatch(new RegExp(`the nearest is ${nearest.replace('.', '\\.')}$`));
  });

  test('a member of a price list that is like no other is named with those that there are', async () => {
    expect(await faultsOf(priced({ '*': { ...row, stairs: [] } }))).toEqual([
      expect.stringMatching(/^tariff\.models\['\*'\]\.stairs is not known; accepted are perMillion, /),
    ]);
  });
});

describe('values of another kind', () => {
  test.each([
    [{ catalog: [{ id: 'a', name: 'A', family: 'text' }] }, 'catalog[0].upstreamId is missing'],
    [{ catalog: [defaultCatalog[0], defaultCatalog[0]] }, 'like catalog[0].id; accepted are ids that differ'],
    [{ catalog: {} }, 'catalog is an object; accepted is a list'],
    [{ enabledModels: 'flash-3.8' }, 'enabledModels is the text "flash-3.8"; accepted is a list'],
    [
      { limits: { executionMs: '600000' } },
      'limits.executionMs is the text "600000"; accepted is a whole number of milliseconds',
    ],
    [{ limits: { executionMs: 3_000_000_000 } }, 'from 1 to 2147483647'],
    [{ limits: { leaseMs: 1_000, renewMs: 900 } }, 'limits.renewMs is 900; accepted is at most half of leaseMs'],
    [{ webhooks: { attemptMs: 20_000 } }, 'webhooks.attemptMs is 20000; accepted is at most half of limits.leaseMs'],
    [{ exposeUsage: 'yes' }, 'exposeUsage is the text "yes"; accepted is true or false'],
    [
      { countInput: 'allways' },
      'countInput is the text "allways"; accepted are media, always and never; the nearest is always',
    ],
    [{ provider: 'openai' }, 'provider is the text "openai"; accepted is a provider'],
    [{ provider: { generate: () => undefined } }, 'provider.name is missing'],
    [
      { provider: sandboxProvider },
      'provider is the function sandboxProvider, which takes options and no entry of the catalog; accepted is the provider that it returns: did you mean sandboxProvider()?',
    ],
    [{ provider: openaiProvider }, 'did you mean openaiProvider()?'],
    [{ provider: () => undefined }, 'provider returns undefined for every model: flash-2.5, pro-2.5'],
    [{ provider: () => 'openai' }, "provider('flash-2.5') is of the type string"],
    [{ provider: async () => sandboxProvider() }, "provider('flash-2.5') is a promise; await it"],
    [
      {
        provider: () => {
          throw new Error('no such host');
        },
      },
      "provider throws for the model 'flash-2.5': Error: no such host",
    ],
    [
      {
        catalog: defaultCatalog.map(({ unitsMax: _none, ...each }) => each),
        ...priced({ '*': { perMillion: { ...row.perMillion, images: '1' } } }),
      },
      "is missing in the row of 'flash-2.5-image', and the tariff prices images; accepted is a whole number",
    ],
    [{ storage: {} }, 'storage has no function transact'],
    [{ storage: Promise.resolve(sqliteStorage({ path: ':memory:' })) }, 'storage is a promise; await it'],
    [{ limiter: { check: () => undefined } }, 'limiter has no function reserve; accepted is an object'],
    [{ limiter: 'off' }, 'is a limiter, such as memoryLimits() returns, or a function'],
    [
      { liveUrl: 'https://example.com' },
      'liveUrl is the text "https://example.com"; accepted is an absolute address with ws or wss',
    ],
    [{ webhooks: true }, 'webhooks is true; accepted is false, or an object of options'],
    [{ environmentNetwork: 'off' }, 'environmentNetwork is the text "off"'],
    [
      priced({ '*': { perMillion: { images: '1.0000001' } } }),
      'tariff.models[\'*\'].perMillion.images is the text "1.0000001"; accepted is a decimal',
    ],
    [priced({ '*': { perMillion: { images: -1 } } }), 'perMillion.images is -1'],
    [{ tariff: { version: '', models: {} } }, 'tariff.version is the text ""'],
    [{ tariff: { models: {} } }, 'tariff.version is missing'],
    [null, 'the object of options is null'],
    [[], 'the object of options is a list of 0 entries'],
  ])('%j is refused with what came and what is accepted', async (options, what) => {
    expect((await faultsOf(options)).join('\n')).toContain(what);
  });
});

test('a function from rows to providers may know some of the models only', () => {
  const own = sandboxProvider();
  const known: Readonly<Record<string, typeof own>> = { 'flash-3.8': own };
  // A host in plain JavaScript returns what its table has.
  const provider = (({ id }: { id: string }) => known[id]) as NonNullable<GatewayOptions['provider']>;
  expect(() => checkOptions({ provider })).not.toThrow();
  expect(() => checkOptions({ provider: () => null })).not.toThrow();
});

test('prices that the storage keeps otherwise under the same version are refused with the place', async () => {
  const storage = sqliteStorage({ path: ':memory:' });
  await (await createGateway({ storage, ...(priced({ '*': row }) as GatewayOptions) })).jobs.stop();
  const dearer = { perMillion: { ...row.perMillion, input_text_tokens: '3' } };
  expect(await faultsOf({ storage, ...priced({ '*': dearer }) })).toEqual([
    'tariff.version is "a", which the storage keeps with other prices; accepted is a new version for new prices',
  ]);
});

const warningsOf = async (options: GatewayOptions): Promise<readonly unknown[]> => {
  const warnings: unknown[] = [];
  const logger = {
    ...silentLogger,
    warn: (message: string, fields?: object) => warnings.push({ message, ...fields }),
  };
  const gateway = await createGateway({
    storage: sqliteStorage({ path: ':memory:' }),
    contextSecret: 'x'.repeat(32),
    ...options,
    logger,
  });
  await gateway.close();
  return warnings;
};
describe('a gateway that can call no model', () => {
  const line = { message: expect.stringContaining('no model can be called'), code: 'nothing_sold' };

  test('says so in one line at the start', async () => {
    const models = defaultCatalog.length;
    expect(await warningsOf({ tariff: { version: 'a', models: {} } })).toEqual([
      { ...line, no_tariff: models, no_provider: 0, not_released: 0 },
    ]);
    expect(await warningsOf({ provider: () => null, enabledModels: ['flash-3.8'] })).toEqual([
      { ...line, no_tariff: 0, no_provider: 1, not_released: models - 1 },
    ]);
  });

  test('is another than one that can call some', async () => {
    expect(await warningsOf({ enabledModels: ['flash-3.8'] })).toEqual([]);
  });
});

test('tells every fault in one error, with a code, the places, and a message that lists them', async () => {
  const failure: unknown = await createGateway(
    given({
      brnd: 'x',
      limits: { leaseMs: 0 },
      enabledModels: ['nobody'],
      ...priced({ a: row, '*': { perMillion: 1 } }),
    }),
  ).catch((error: unknown) => error);
  expect(failure).toMatchObject({ name: 'ConfigurationError', code: 'configuration_invalid' });
  const { faults, message } = failure as { faults: readonly { place: string }[]; message: string };
  expect(faults.map(({ place }) => place)).toEqual([
    'brnd',
    "tariff.models['*'].perMillion",
    'limits.leaseMs',
    'enabledModels[0]',
  ]);
  expect(message).toMatch(/^createGateway: 4 faults in its configuration\n- brnd is not known; /);
});

test('reads and writes nothing where the options are refused', async () => {
  const calls: string[] = [];
  const storage: Storage = {
    ...sqliteStorage({ path: ':memory:' }),
    transact: () => Promise.reject(new Error(String(calls.push('transact')))),
    read: () => Promise.reject(new Error(String(calls.push('read')))),
  };
  expect(await faultsOf({ storage, brand: '' })).toHaveLength(1);
  expect(calls).toEqual([]);
});

describe('the values that a body may hold', () => {
  test.each([10_000, 100_000, 10_000_000])('may be %j', (bodyNodesMax) => {
    expect(() => checkOptions({ bodyNodesMax })).not.toThrow();
  });

  test.each([0, 9_999, 10_000_001, 20_000.5, Number.NaN])('are refused when they are %j', async (bodyNodesMax) => {
    expect(await faultsOf({ bodyNodesMax })).toEqual([
      `bodyNodesMax is ${bodyNodesMax}; accepted is a whole number from 10000 to 10000000`,
    ]);
  });
});

describe('holes in a price list', () => {
  test('are refused where the list names the model: every call of it would be refused', async () => {
    expect(await faultsOf(priced({ 'flash-3.8': { perMillion: { images: '40000' } } }))).toEqual([
      expect.stringMatching(
        /^tariff\.models\['flash-3\.8'\]\.perMillion\.input_text_tokens is missing, so that every call would be refused \(chat, .*accepted is a price of the unit, '0' included$/,
      ),
    ]);
  });

  test('are refused where nothing bounds what is priced', async () => {
    const { unitsMax: _, ...image } = { ...defaultCatalog[0], unitsMax: {}, id: 'picture', family: 'image' };
    const prices = { ...row.perMillion, images: '40000' };
    expect(await faultsOf({ catalog: [image], ...priced({ picture: { perMillion: prices } }) })).toEqual([
      expect.stringMatching(
        /perMillion\.images is a price, and nothing bounds .*accepted is a bound: unitsMax\.images/,
      ),
    ]);
  });

  test('make a model unavailable where the list prices it with all others, and are logged with the unit', async () => {
    const lines: [string, unknown][] = [];
    const log = (message: string, fields?: unknown): void => void lines.push([message, fields]);
    const gateway = await createGateway({
      storage: sqliteStorage({ path: ':memory:' }),
      logger: { info: log, warn: log, error: log },
      enabledModels: ['flash-3.8', 'embedding-2'],
      tariff: { version: 'a', models: { '*': { perMillion: { embedding_tokens: '1' } } } },
    });
    expect(lines).toContainEqual([
      'every call of these is refused: the price list has holes',
      {
        code: 'price_holes',
        count: 1,
        models: [expect.stringMatching(/^flash-3\.8 \(chat: input_text_tokens unpriced, /)],
      },
    ]);
    const account = await gateway.admin.createAccount({ name: 'a' });
    const project = await gateway.admin.createProject({ accountId: account.id, name: 'a' });
    const key = await gateway.admin.createKey({ projectId: project?.id ?? '', model: null });
    const response = await gateway.fetch(
      new Request('http://host/api/v1/ai/models', { headers: { authorization: `Bearer ${key?.key}` } }),
    );
    const { data } = (await response.json()) as { data: readonly { id: string; available: boolean }[] };
    const shown = data.filter(({ id }) => id === 'flash-3.8' || id === 'embedding-2');
    expect(Object.fromEntries(shown.map(({ id, available }) => [id, available]))).toEqual({
      'embedding-2': true,
      'flash-3.8': false,
    });
    await gateway.close();
  });

  test('are none in the price list of test mode', async () => {
    const lines: unknown[] = [];
    const log = (_: string, fields?: Readonly<Record<string, unknown>>): void => void lines.push(fields?.['code']);
    const storage = sqliteStorage({ path: ':memory:' });
    await (await createGateway({ storage, logger: { info: log, warn: log, error: log } })).close();
    expect(lines).not.toContain('price_holes');
    expect(lines).not.toContain('no_tariff');
  });
});

test('makes no key for a model that does not exist, and names the nearest', async () => {
  const gateway = await createGateway({
    storage: sqliteStorage({ path: ':memory:' }),
    logger: silentLogger,
  });
  const account = await gateway.admin.createAccount({ name: 'a' });
  const projectId = (await gateway.admin.createProject({ accountId: account.id, name: 'a' }))?.id ?? '';
  const refused = async (input: unknown): Promise<unknown> =>
    gateway.admin.createKey(input as Parameters<typeof gateway.admin.createKey>[0]).catch((error: unknown) => error);
  expect(await refused({ projectId, model: 'flash-38' })).toMatchObject({
    code: 'configuration_invalid',
    faults: [{ place: 'model', message: expect.stringMatching(/names 'flash-38'.*the nearest is flash-3\.8$/) }],
  });
  expect(await refused({ projectId, modle: 'flash-3.8' })).toMatchObject({
    faults: [{ place: 'modle', message: expect.stringMatching(/the nearest is model$/) }],
  });
  expect(await gateway.admin.listKeys(projectId)).toEqual([]);
  await gateway.close();
});
