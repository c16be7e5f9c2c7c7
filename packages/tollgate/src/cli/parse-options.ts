import { parseArgs } from 'node:util';
import { acceptedWords } from '@tollgate/contract/configuration';
import { UsageError, type CommandInput, type CommandWorld } from './command.ts';

const text = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
const texts = { type: 'string', multiple: true } as const;

type Options = Readonly<Record<string, typeof text | typeof flag | typeof texts>>;

/** What every command takes. */
const commonOptions: Options = {
  db: text,
  postgres: text,
  schema: text,
  'base-path': text,
  json: flag,
  help: flag,
};

const listed: Options = { limit: text, search: text };
const limiting: Options = {
  limits: text,
  'requests-per-minute': text,
  'tokens-per-minute': text,
  'concurrent-requests': text,
};
const ranged: Options = { limit: text, from: text, until: text };

/** The options of each command beside the common ones. */
const ownOptions: Readonly<Record<string, Options>> = {
  start: { port: text, host: text, processes: text, upstream: text, 'upstream-model': text, compat: text },
  init: {},
  key: {
    ...listed,
    project: text,
    account: text,
    model: text,
    name: text,
    'own-catalog': flag,
    reference: text,
    expires: text,
    models: text,
    cap: text,
    ...limiting,
    metadata: texts,
  },
  token: { key: text, origins: text, models: text, budget: text, ttl: text },
  deposit: { account: text, credits: text, reference: text },
  compensate: { account: text, give: text, take: text, reference: text, operation: text, shortfall: text },
  accounts: { ...listed, ...limiting, name: text, id: text, status: text },
  projects: { ...listed, ...limiting, account: text, name: text, id: text, status: text },
  balance: { account: text },
  statement: { ...ranged, account: text, csv: flag },
  deliveries: { limit: text, project: text, webhook: text, operation: text, status: text },
  schedules: { limit: text, project: text },
  operations: { ...ranged, state: text, account: text, project: text, key: text, model: text, id: text },
  resolve: {
    failed: flag,
    charge: text,
    settle: flag,
    measured: texts,
    'at-least': flag,
    part: texts,
    by: text,
    reason: text,
    reference: text,
  },
  reconcile: {
    bill: text,
    'id-column': text,
    'time-column': text,
    unit: texts,
    delimiter: text,
    ids: text,
    provider: text,
    from: text,
    until: text,
    'ignore-rows-without-id': flag,
    'dry-run': flag,
    apply: flag,
    by: text,
    reason: text,
    reference: text,
  },
  audit: {},
  usage: {
    from: text,
    until: text,
    by: text,
    group: text,
    'time-zone': text,
    account: text,
    project: text,
    key: text,
    reference: text,
    model: text,
    provider: text,
    csv: flag,
  },
  prices: {
    from: text,
    until: text,
    account: text,
    group: text,
    list: text,
    models: text,
    'allow-zero': flag,
    force: flag,
    'own-catalog': flag,
    accounts: flag,
    'ignore-field': texts,
  },
  import: {
    from: text,
    source: text,
    map: texts,
    'own-catalog': flag,
    'leave-out': flag,
    'without-balances': flag,
    'change-terms': flag,
    'revoke-skipped': flag,
    'dry-run': flag,
    out: text,
    keys: text,
  },
  migrate: {},
};

interface GivenOption {
  readonly name: string;
  readonly rawName: string;
}

const givenOptions = (rest: readonly string[], options: Options): readonly GivenOption[] =>
  parseArgs({ args: [...rest], allowPositionals: true, strict: false, tokens: true, options }).tokens.filter(
    (token) => token.kind === 'option',
  );

const isRepeatable = (option: Options[string] | undefined): boolean => option !== undefined && 'multiple' in option;

const checkNames = (rest: readonly string[], options: Options): void => {
  const given = new Set<string>();
  for (const { name, rawName } of givenOptions(rest, options)) {
    if (!Object.hasOwn(options, name)) {
      const names = Object.keys(options).map((known) => `--${known}`);
      throw new UsageError(`${rawName} is no option of this command; accepted ${acceptedWords(rawName, names)}`);
    }
    // The last one would count, and the one before it would be lost.
    if (given.has(name) && !isRepeatable(options[name])) throw new UsageError(`--${name} is given twice`);
    given.add(name);
  }
};

/** The words and options of a command line. Throws a `UsageError` that names what is not understood, and the nearest name. */
export const parseOptions = (command: string, rest: readonly string[], world: CommandWorld): CommandInput => {
  const options = { ...ownOptions[command], ...commonOptions };
  checkNames(rest, options);
  try {
    const parsed = parseArgs({ args: [...rest], allowPositionals: true, options });
    return { words: parsed.positionals, options: parsed.values, world };
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : 'the command line cannot be read');
  }
};
