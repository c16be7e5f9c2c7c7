import type { EngineOptions } from '../src/engine.ts';
import { createEngineWorld, type EngineWorld } from './engine-world.ts';
import type { Engine } from '../src/engine.ts';
import {
  environmentFiles,
  storeEnvironmentFiles,
  type EnvironmentFiles,
} from '../src/resources/environment/environment-files.ts';
import { createResource } from '../src/resources/create-resource.ts';
import type { ResourcePlan } from '../src/resources/resource-plan.ts';
import type { EnvironmentWork } from '../src/resources/environment/environment-network.ts';
import { environmentKind } from '../src/resources/environment/environment-kind.ts';
import { giveKinds } from './process-parts.ts';

/** An engine world with environments. */
export interface EnvironmentWorld extends EngineWorld {
  readonly trees: EnvironmentFiles;
  /** The id of an environment with these files. */
  readonly createEnvironment: (contents: Readonly<Record<string, string>>, on?: Engine) => Promise<string>;
  /** What its files hold, by path; null where it cannot be used. */
  readonly contents: (id: string) => Promise<Readonly<Record<string, string>> | null>;
  /** Keys of the blobs that lie in the store and that no row says are ownerless. */
  readonly pendingBlobs: (keys: readonly string[]) => Promise<readonly string[]>;
}

const work: EnvironmentWork = { network: { kind: 'disabled' } };

export const bytesOf = (contents: Readonly<Record<string, string>>) =>
  Object.entries(contents).map(([path, text]) => ({ path, bytes: Buffer.from(text) }));

const textOf = async (chunks: AsyncIterable<Uint8Array>): Promise<string> => {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
};

export const environmentPlan = (
  world: EngineWorld,
  files: NonNullable<ResourcePlan['draft']['files']>,
  idleMs: number,
): ResourcePlan => ({
  access: { keyId: world.keyId, projectId: world.projectId, accountId: world.accountId },
  kind: 'environment',
  model: 'model',
  identity: null,
  fingerprint: 'body',
  estimate: null,
  refusal: null,
  draft: {
    kind: 'environment',
    displayName: null,
    parent: null,
    availability: 'active',
    publicFields: {},
    work,
    expiresAfterMs: idleMs,
    items: [],
    files,
  },
  uses: [],
});

export const createEnvironmentWorld = async (options: Partial<EngineOptions> = {}): Promise<EnvironmentWorld> => {
  const base = await createEngineWorld(100n, options);
  const { engine } = base;
  giveKinds(engine, environmentKind(engine));
  const trees = environmentFiles(engine);
  const more = {
    trees,
    createEnvironment: async (contents: Readonly<Record<string, string>>, on: Engine = engine) => {
      const stored = await storeEnvironmentFiles(on, bytesOf(contents), {});
      const outcome = await createResource(on, environmentPlan(base, stored, on.limits.environmentIdleMs));
      if (outcome.kind !== 'created') throw new Error(`not created: ${outcome.code}`);
      return outcome.found.resource.id;
    },
    contents: async (id: string) => {
      const listed = await trees.list(id);
      if (listed === null) return null;
      const entries = await Promise.all(
        listed.map(async (file) => [file.path, await textOf(trees.read(file))] as const),
      );
      return Object.fromEntries(entries);
    },
    pendingBlobs: async (keys: readonly string[]) => {
      const records = await base.storage.read(keys.map((id) => ({ table: 'pendingBlob', id }) as const));
      return keys.filter((id) => records.get('pendingBlob', id) !== undefined);
    },
  };
  // The world's faults are replaced by tests: it stays one object.
  return Object.assign(base, more);
};
