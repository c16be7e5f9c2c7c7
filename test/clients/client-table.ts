import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startGateway, type GatewaySetup, type RunningGateway } from './running-gateway.ts';

/** One thing that a client does, and what the compatible mode promises for it. */
export type Feature =
  | { readonly outcome: 'works'; readonly name: string; readonly run: () => Promise<unknown> }
  | {
      /** Refused with 422, or 400 on a wire that has no 422, and a message that names the field, before anything is charged. */
      readonly outcome: 'refused';
      readonly name: string;
      readonly field: string;
      readonly run: () => Promise<unknown>;
    }
  | {
      /** The gateway has no such route: 404, or 405 where a neighbour has the path; the message names it. */
      readonly outcome: 'no route';
      readonly name: string;
      readonly path: string;
      readonly run: () => Promise<unknown>;
    };

export const works = (name: string, run: () => Promise<unknown>): Feature => ({ outcome: 'works', name, run });

export const refuses = (name: string, field: string, run: () => Promise<unknown>): Feature => ({
  outcome: 'refused',
  name,
  field,
  run,
});

export const hasNoRoute = (name: string, path: string, run: () => Promise<unknown>): Feature => ({
  outcome: 'no route',
  name,
  path,
  run,
});

/** A client as the page on clients lists it. */
export interface TriedClient {
  /** The name in its row on the page. */
  readonly name: string;
  /** The name in the manifest; the row's name by default. */
  readonly dependency?: string;
  /** The manifest that fixes its version; the one of the repository by default. */
  readonly manifest?: URL;
  readonly setup?: GatewaySetup;
  readonly features: (world: () => RunningGateway) => readonly Feature[];
}

const page = new URL('../../docs/clients.md', import.meta.url);
const repository = new URL('../../package.json', import.meta.url);

/** The exact version that a manifest names. */
export const versionIn = (manifest: URL, dependency: string): string => {
  const { dependencies = {}, devDependencies = {} } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    readonly dependencies?: Readonly<Record<string, string>>;
    readonly devDependencies?: Readonly<Record<string, string>>;
  };
  const version = dependencies[dependency] ?? devDependencies[dependency];
  if (version === undefined) throw new Error(`${dependency} is not in ${manifest.pathname}`);
  return version.replace(/^npm:.*@/, '');
};

/** The cells of a client's row on the page below a heading, or null where it has none. */
export const rowUnder = (heading: string, name: string): readonly string[] | null => {
  const text = readFileSync(page, 'utf8');
  const line = text
    .slice(text.indexOf(heading))
    .split('\n')
    .find((each) => each.startsWith(`| \`${name}\` `));
  return line === undefined
    ? null
    : line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
};

/** The cells of a client's first row on the page, or null where it has none. */
export const rowOf = (name: string): readonly string[] | null => rowUnder('# Clients', name);

/** What a promise was rejected with. */
const rejectionOf = async (
  promise: Promise<unknown>,
): Promise<{ readonly status: unknown; readonly message: string }> => {
  const cause: unknown = await promise.then(
    (value) => {
      throw new Error(`it was answered: ${JSON.stringify(value)}`);
    },
    (error: unknown) => error,
  );
  if (!(cause instanceof Error)) throw new Error(`it was rejected with no error: ${String(cause)}`);
  const {
    status,
    statusCode,
    status_code: ownCode,
  } = cause as { readonly status?: unknown; readonly statusCode?: unknown; readonly status_code?: unknown };
  return { status: status ?? statusCode ?? ownCode, message: cause.message };
};

/** What came of trying a feature: its outcome as promised, or what was met instead. */
const outcomeOf = async (feature: Feature): Promise<string> => {
  if (feature.outcome === 'works') {
    await feature.run();
    return 'works';
  }
  const { status, message } = await rejectionOf(feature.run());
  const isRefusal = status === 422 || status === 400;
  if (feature.outcome === 'refused' && isRefusal && message.includes(feature.field)) return 'refused';
  const isUnknown = status === 404 || status === 405;
  return feature.outcome === 'no route' && isUnknown && message.includes(feature.path)
    ? 'no route'
    : `${String(status)}: ${message}`;
};

const countOf = (features: readonly Feature[], outcome: Feature['outcome']): string =>
  String(features.filter((feature) => feature.outcome === outcome).length);

/**
 * Tries each feature of one client, unmodified, over a socket against a gateway in the compatible modes; then the ledger is
 * audited. The row of the client on the page says the version and the same counts.
 */
export const describeClient = (client: TriedClient): void => {
  describe(`the table of clients: ${client.name}`, () => {
    let running: RunningGateway;
    beforeAll(async () => {
      running = await startGateway({
        ...client.setup,
        options: { compatibility: { openai: true, google: true }, ...client.setup?.options },
      });
    });
    afterAll(async () => {
      await running.close();
    });

    const features = client.features(() => running);
    test.each(features.map((feature) => [feature.outcome, feature.name, feature] as const))(
      '%s: %s',
      async (outcome, _name, feature) => {
        expect(await outcomeOf(feature)).toBe(outcome);
      },
    );

    test('the page says which version was tried, and what came of it', () => {
      const version = versionIn(client.manifest ?? repository, client.dependency ?? client.name);
      const counts = (['works', 'refused', 'no route'] as const).map((outcome) => countOf(features, outcome));
      expect(rowOf(client.name)?.slice(0, 5)).toEqual([`\`${client.name}\``, version, ...counts]);
    });
  });
};
