import type { Engine } from '../engine.ts';

/**
 * Where the opaque state of a tool call is found again. Upstreams and clients make up call ids: what no storage would take,
 * such as half a surrogate pair, is escaped as JSON does it.
 */
export const toolContextId = (projectId: string, callId: string): string =>
  `${projectId}:${JSON.stringify(callId).slice(1, -1)}`;

/** The states the service kept of these calls of a project, by call id; one it does not know is left out. */
export const findToolContexts = (
  engine: Engine,
  projectId: string,
  callIds: readonly string[],
): ReadonlyMap<string, string> | Promise<ReadonlyMap<string, string>> =>
  callIds.length === 0 ? none : readToolContexts(engine, projectId, callIds);

const none: ReadonlyMap<string, string> = new Map();

const readToolContexts = async (
  engine: Engine,
  projectId: string,
  callIds: readonly string[],
): Promise<ReadonlyMap<string, string>> => {
  const keys = callIds.map((callId) => ({ table: 'toolContext', id: toolContextId(projectId, callId) }) as const);
  const records = await engine.storage.read(keys);
  return new Map(
    callIds.flatMap((callId) => {
      const found = records.get('toolContext', toolContextId(projectId, callId));
      return found === undefined ? [] : [[callId, found.context] as const];
    }),
  );
};
