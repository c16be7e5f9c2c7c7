import { parseArgs } from 'node:util';
import { CannotRun } from '../kit/cannot-run.ts';
import { refusedRoles, type RefusedRole } from '../kit/need.ts';

/** What the command line asks for. */
export interface CommandOptions {
  readonly base: string;
  readonly keys: readonly string[];
  readonly otherKey: string | undefined;
  readonly poorKey: string | undefined;
  readonly refusedKeys: Readonly<Partial<Record<RefusedRole, string>>>;
  readonly brand: string | undefined;
  readonly only: readonly string[];
  readonly list: boolean;
  readonly help: boolean;
  readonly json: string | undefined;
  readonly caseMs: number | undefined;
  readonly concurrency: number | undefined;
  readonly creditsMax: number | undefined;
  readonly slow: boolean;
  readonly upstreamPort: number | undefined;
  readonly webhookUrl: string | undefined;
  readonly webhookPort: number | undefined;
}

export const usage = `Usage: tollgate-conformance <base address> --key <key> [options]

Runs the contract of a metered AI gateway against the gateway at the base address, which ends in /api/v1/ai.
The gateway charges the calls to the account of the key.

  --key <key>             a key of the gateway; more of the same project, each for another model, reach more routes
  --other-key <key>       a key of another project, for what one project must not see of another
  --poor-key <key>        a key of an account without credits
  --refused-key <why>=<key>
                          a key that is revoked, inactive, paused, blocked or no-contract; more than once
  --only <rule or prefix> only the cases of these rules, as in idempotency or chat:messages; more than once
  --list                  prints the cases and their rules, and calls nothing
  --json <file>           writes the report there as JSON
  --timeout <seconds>     the longest that one case may take (60)
  --concurrency <number>  how many cases run at once (4)
  --credits-max <number>  starts no further case once the gateway has charged so much
  --slow                  also the cases that wait for a minute or longer
  --upstream-port <port>  starts an upstream at this port of this machine; configure the gateway to call it
  --webhook-url <url>     the public address at which the gateway delivers events
  --webhook-port <port>   the port of this machine to which that address leads
  --brand <word>          the brand on the wire (service)
  --help                  prints this

Exit code 0: every rule that was tried is kept. 1: at least one is broken. 2: nothing could be tried.`;

const options = {
  key: { type: 'string', multiple: true },
  'other-key': { type: 'string' },
  'poor-key': { type: 'string' },
  'refused-key': { type: 'string', multiple: true },
  only: { type: 'string', multiple: true },
  list: { type: 'boolean' },
  help: { type: 'boolean' },
  json: { type: 'string' },
  timeout: { type: 'string' },
  concurrency: { type: 'string' },
  'credits-max': { type: 'string' },
  slow: { type: 'boolean' },
  'upstream-port': { type: 'string' },
  'webhook-url': { type: 'string' },
  'webhook-port': { type: 'string' },
  brand: { type: 'string' },
} as const;

const parse = (args: readonly string[]) => {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true });
  } catch (error) {
    throw new CannotRun(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  }
};

const numberOf = (name: string, text: string | undefined): number | undefined => {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (!Number.isFinite(value) || value < 0) throw new CannotRun(`--${name} takes a number of 0 or more, not ${text}.`);
  return value;
};

const countOf = (name: string, text: string | undefined): number | undefined => {
  const value = numberOf(name, text);
  if (value !== undefined && (!Number.isInteger(value) || value < 1))
    throw new CannotRun(`--${name} takes a whole number of 1 or more, not ${text}.`);
  return value;
};

const isRefused = (why: string): why is RefusedRole => refusedRoles.some((role) => role === why);

/** Keys by why they are refused, each as `revoked=tg_…`. */
const refusedKeysOf = (texts: readonly string[]): CommandOptions['refusedKeys'] => {
  const found: Partial<Record<RefusedRole, string>> = {};
  for (const text of texts) {
    const [why = '', ...key] = text.split('=');
    if (!isRefused(why) || key.join('=') === '')
      throw new CannotRun(`--refused-key takes ${refusedRoles.join(', ')}, then = and the key.`);
    found[why] = key.join('=');
  }
  return found;
};

const assertAddress = (base: string): void => {
  const isAddress = URL.canParse(base) && /^https?:$/u.test(new URL(base).protocol);
  if (!isAddress) throw new CannotRun(`The base address must be an http or https address, not ${base || 'nothing'}.`);
};

/** Reads the command line; throws `CannotRun` for what it cannot mean. */
export const readOptions = (args: readonly string[]): CommandOptions => {
  const { values, positionals } = parse(args);
  const [base = '', ...more] = positionals;
  const { list = false, help = false, key: keys = [] } = values;
  const seconds = numberOf('timeout', values.timeout);
  const read: CommandOptions = {
    base,
    keys,
    list,
    help,
    otherKey: values['other-key'],
    poorKey: values['poor-key'],
    refusedKeys: refusedKeysOf(values['refused-key'] ?? []),
    brand: values.brand,
    only: values.only ?? [],
    json: values.json,
    caseMs: seconds === undefined ? undefined : seconds * 1_000,
    concurrency: countOf('concurrency', values.concurrency),
    creditsMax: numberOf('credits-max', values['credits-max']),
    slow: values.slow ?? false,
    upstreamPort: numberOf('upstream-port', values['upstream-port']),
    webhookUrl: values['webhook-url'],
    webhookPort: numberOf('webhook-port', values['webhook-port']),
  };
  if (list || help) return read;
  assertAddress(base);
  if (more.length > 0) throw new CannotRun(`There is one base address; ${more.join(' ')} is too much.`);
  if (keys.length === 0) throw new CannotRun('Give a key of the gateway with --key.');
  if ((read.webhookUrl === undefined) !== (read.webhookPort === undefined))
    throw new CannotRun('--webhook-url and --webhook-port are given together.');
  return read;
};
