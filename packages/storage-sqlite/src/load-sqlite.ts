import type { DatabaseSync } from 'node:sqlite';

interface SqliteModule {
  readonly DatabaseSync: typeof DatabaseSync;
}

/** The part of `process` that is read. An older Node does not have the function. */
export interface SqliteRuntime {
  readonly versions: { readonly node: string };
  readonly getBuiltinModule?: ((name: 'node:sqlite') => SqliteModule | undefined) | undefined;
}

/**
 * SQLite as Node has it. It is loaded when a storage is opened, so that an import in an older Node, or in another runtime, does not
 * fail before anything can say why. Throws `runtime_unsupported` where it is not there.
 */
export const loadSqlite = (runtime: SqliteRuntime = process): typeof DatabaseSync => {
  const found = runtime.getBuiltinModule?.('node:sqlite');
  if (found !== undefined) return found.DatabaseSync;
  const message =
    `sqliteStorage needs node:sqlite, which Node 22.18 or later has; this is Node ${runtime.versions.node}. Use a newer Node, ` +
    'or driverStorage of @tollgate/storage-sqlite/driver with a driver of this runtime';
  throw Object.assign(new Error(message), { code: 'runtime_unsupported' });
};
