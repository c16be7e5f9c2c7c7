import { addUsage, usageKey, type Quotas, type Usage } from '../decisions/quotas.ts';
import type { Engine } from '../engine.ts';
import { commitOnce } from '../operations/persist.ts';

/** What a project may keep, and how much of it is used. */
export interface ProjectQuotas {
  /** The host's, but for those that this project has of its own. */
  readonly quotas: Quotas;
  /** By name of quota; what is absent is 0. */
  readonly used: Usage;
}

/** What a project may keep and does keep; null where there is no such project. */
export const readProjectQuotas = async (engine: Engine, projectId: string): Promise<ProjectQuotas | null> => {
  const records = await engine.storage.read([{ table: 'project', id: projectId }, usageKey(projectId)]);
  if (records.get('project', projectId) === undefined) return null;
  const record = records.get('projectUsage', projectId);
  return { quotas: { ...engine.policy.quotas, ...record?.overrides }, used: addUsage(record?.used ?? {}, {}) };
};

/**
 * Gives a project limits of its own for the quotas that are named, in place of all it had before; null takes them away. What it
 * keeps already stays, also above a limit. Null where there is no such project.
 */
export const setProjectQuotas = async (
  engine: Engine,
  projectId: string,
  quotas: Partial<Quotas> | null,
): Promise<ProjectQuotas | null> => {
  const overrides = quotas === null ? null : { ...quotas };
  await commitOnce(engine, {
    keys: [{ table: 'project', id: projectId }, usageKey(projectId)],
    decide: (records) => {
      if (records.get('project', projectId) === undefined) return { writes: [], answer: null };
      const before = records.get('projectUsage', projectId);
      const used = before?.used ?? {};
      const record = { id: projectId, used, overrides, revision: (before?.revision ?? 0) + 1 };
      return { writes: [{ kind: 'put', table: 'projectUsage', record }], answer: null };
    },
  });
  return readProjectQuotas(engine, projectId);
};
