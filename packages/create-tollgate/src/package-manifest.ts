import type { Choices } from './choices.ts';
import { versions, type OutsidePackage } from './versions.ts';

interface Needs {
  readonly ours?: readonly string[];
  readonly outside?: readonly OutsidePackage[];
  readonly development?: readonly OutsidePackage[];
}

const needsOfHost: Readonly<Record<Choices['host'], Needs>> = {
  node: {},
  hono: { outside: ['@hono/node-server', 'hono'] },
  express: { outside: ['express'], development: ['@types/express'] },
  fastify: { outside: ['fastify'] },
  next: { outside: ['next', 'react', 'react-dom'], development: ['@types/react'] },
};
const needsOfStorage: Readonly<Record<Choices['storage'], Needs>> = {
  sqlite: {},
  postgres: { ours: ['@tollgate/storage-postgres'], development: ['@types/pg', 'pg'] },
  memory: { ours: ['@tollgate/storage-memory'] },
};
const needsOfProvider: Readonly<Record<Choices['provider'], Needs>> = {
  sandbox: {},
  'openai-compatible': {},
  anthropic: {},
  google: {},
  routed: { ours: ['@tollgate/provider-routing'] },
};
const needsOfPayments: Readonly<Record<Choices['payments'], Needs>> = {
  none: {},
  stripe: { ours: ['@tollgate/stripe'], outside: ['stripe'] },
};

const needsOfAll: Needs = { ours: ['tollgate'], development: ['@types/node', 'openai', 'typescript'] };

/** A script that a project does not have is undefined, which JSON leaves out. */
const scriptsOf = ({ host, storage, payments }: Choices): Readonly<Record<string, string | undefined>> => {
  const run = 'node --env-file-if-exists=.env';
  const bin = 'node_modules/next/dist/bin/next';
  return {
    ...(host === 'next'
      ? { dev: `${run} ${bin} dev`, build: 'next build', start: `${run} --env-file=next.env ${bin} start` }
      : { dev: `${run} --watch src/main.ts`, start: `${run} src/main.ts` }),
    test: `${storage === 'postgres' ? run : 'node'} --test "test/**/*.test.ts"`,
    typecheck: 'tsc',
    // The command line with the settings of the project.
    tollgate: storage === 'memory' ? undefined : `${run} node_modules/tollgate/dist/cli.js`,
    'open-account': storage === 'memory' ? undefined : `${run} src/open-account.ts`,
    'sell-pack': payments === 'stripe' ? `${run} src/sell-pack.ts` : undefined,
  };
};

const sorted = (entries: readonly (readonly [string, string])[]): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.toSorted(([left], [right]) => (left < right ? -1 : 1)));

const outside = (names: readonly OutsidePackage[]) => names.map((one) => [one, versions[one]] as const);

/** The `package.json` of a project. `version` is that of all packages of Tollgate. */
export const packageManifest = (name: string, choices: Choices, version: string): object => {
  const needs = [
    needsOfAll,
    needsOfHost[choices.host],
    needsOfStorage[choices.storage],
    needsOfProvider[choices.provider],
    needsOfPayments[choices.payments],
  ];
  return {
    name,
    version: '0.0.0',
    private: true,
    type: 'module',
    engines: { node: '>=22.18' },
    scripts: scriptsOf(choices),
    dependencies: sorted(
      needs.flatMap(({ ours = [], outside: others = [] }) => [
        ...ours.map((one) => [one, `^${version}`] as const),
        ...outside(others),
      ]),
    ),
    devDependencies: sorted(needs.flatMap(({ development = [] }) => outside(development))),
  };
};
