import { bodyBounds, catalogCheck, environmentNetworkCheck } from '@tollgate/contract';
import {
  byKind,
  callable,
  checkOf,
  faultAt,
  flag,
  having,
  list,
  nullable,
  oneOf,
  optionsCheck,
  required,
  text,
  timerMs,
  whole,
  type OptionCheck,
} from '@tollgate/contract/configuration';
import {
  documentLimitsCheck,
  engineLimitsCheck,
  isKeyPrefix,
  quotasCheck,
  interactionLimitsCheck,
  tariffCheck,
  toolRunnersCheck,
  type Logger,
  type UsageLimiter,
  type Observer,
  type WebhookSender,
} from '@tollgate/engine';
import { liveLimitsCheck } from '@tollgate/live';
import { imageFetcherCheck, webhookSenderChecks } from '@tollgate/node';
import { providerCheck } from '@tollgate/provider';
import { compatibilityCheck, corsCheck, dialectsCheck } from '@tollgate/routes';
import type { CreditLedger, IdempotencyStore, Storage } from '@tollgate/storage';
import { contextSecretCheck } from './context-secrets.ts';
import type { GatewayOptions, WebhookOptions } from './gateway-options.ts';
import { hookOptionsCheck } from './hook-options.ts';
import type { IndexingOptions } from './indexing-options.ts';

type Given<Name extends keyof GatewayOptions> = NonNullable<GatewayOptions[Name]>;

/** Segments of a path as a client sends it, none of them empty; nothing at all stands for the root. */
const prefix = /^(?:\/[\w.~-]+)*$/;
/** The word is part of header names and of a model id. */
const word = /^[a-z][a-z0-9-]*$/i;

const isSocketAddress = (value: string): boolean =>
  URL.canParse(value) && ['ws:', 'wss:'].includes(new URL(value).protocol);

const webhooks: OptionCheck<Given<'webhooks'> | false> = byKind(
  {
    object: optionsCheck<WebhookOptions>({
      ...webhookSenderChecks,
      sender: having<WebhookSender>('check', 'send', 'close'),
    }),
    flag: checkOf<false>((value, place) =>
      value === false ? [] : faultAt(place, 'is true', 'is false, or an object of options'),
    ),
  },
  'is false, or an object of options',
);

const indexing = optionsCheck<IndexingOptions>({
  model: text(),
  dimensions: whole({ min: 1 }),
  limits: documentLimitsCheck,
  readPdf: nullable(callable()),
  passagesMax: whole({ min: 1 }),
});

const world = optionsCheck<Given<'world'>>({
  newId: callable(),
  owner: text(),
  sleep: callable(),
  monotonicMs: callable(),
  after: callable(),
  randomBytes: callable(),
  wallClockMs: callable(),
});

/** What a host may choose, option by option: `GatewayOptions` says what each does, this what is accepted of it. */
export const gatewayOptionsCheck = optionsCheck<GatewayOptions>({
  storage: having<Storage>('transact', 'read', 'list', 'claim', 'close'),
  provider: byKind(
    { object: providerCheck, function: callable() },
    'is a provider, such as sandboxProvider() returns, or a function from an entry of the catalog to one',
  ),
  catalog: catalogCheck,
  enabledModels: list(text()),
  selectModel: callable(),
  tariff: tariffCheck,
  laterTariffs: list(tariffCheck),
  brand: text({
    isSound: (value) => word.test(value),
    accepted: 'is a word of letters, digits and hyphens that begins with a letter',
  }),
  keyPrefix: text({
    charsMin: 0,
    isSound: isKeyPrefix,
    accepted:
      'is at most 20 letters, digits and hyphens that begin with a letter, and an underscore or a hyphen, as in acme_',
  }),
  basePath: text({
    charsMin: 0,
    isSound: (value) => prefix.test(value),
    accepted: 'begins with a slash and does not end with one, as in /api/v1/ai; an empty one is the root',
  }),
  compatibility: compatibilityCheck,
  dialects: dialectsCheck,
  bodyNodesMax: whole({ min: bodyBounds.nodesFloor, max: bodyBounds.nodesCeiling }),
  openApiNeedsKey: flag(),
  remoteImages: imageFetcherCheck,
  cors: corsCheck,
  extraFields: list(text()),
  countInput: oneOf('media', 'always', 'never'),
  exposeUsage: flag(),
  showPrices: flag(),
  finishReasonWithTools: oneOf('stop', 'tool_calls'),
  limiter: byKind(
    { object: having<UsageLimiter>('reserve'), function: callable() },
    'is a limiter, such as memoryLimits() returns, or a function',
  ),
  limiterMs: timerMs({ min: 1 }),
  onLimiterFailure: oneOf('refuse', 'allow'),
  authenticate: callable(),
  authenticateMs: timerMs({ min: 1 }),
  hooks: hookOptionsCheck,
  ledger: having<CreditLedger>('reserve', 'extend', 'settle', 'release'),
  identities: having<IdempotencyStore>('claim', 'release'),
  overrun: oneOf('pending', 'absorb'),
  decideUncertain: optionsCheck<Given<'decideUncertain'>>({
    afterMs: required(whole()),
    verdict: required(oneOf('fail', 'charge_hold')),
  }),
  quotas: quotasCheck,
  limits: engineLimitsCheck,
  logger: having<Logger>('info', 'warn', 'error'),
  observers: list(having<Observer>('observe')),
  requestLog: byKind(
    {
      flag: checkOf<true>((value, place) =>
        value === true ? [] : faultAt(place, 'is false', 'is true, or a function that takes a line'),
      ),
      function: callable(),
    },
    'is true, or a function that takes a line',
  ),
  probes: flag(),
  batches: optionsCheck<Given<'batches'>>({
    itemsAtOnce: whole({ min: 1 }),
    batchesAtOnce: whole({ min: 1 }),
    batchesPerProject: whole({ min: 1 }),
  }),
  indexing,
  environmentNetwork: environmentNetworkCheck,
  liveUrl: text({ isSound: isSocketAddress, accepted: 'is an absolute address with ws or wss' }),
  live: liveLimitsCheck,
  contextSecret: contextSecretCheck,
  tools: toolRunnersCheck,
  webhooks,
  interactions: interactionLimitsCheck,
  world,
});
