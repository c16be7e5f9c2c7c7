import { mysqlStorage } from '@tollgate/storage-mysql';
import { postgresStorage } from '@tollgate/storage-postgres';
import type { Storage } from '@tollgate/storage';
import { sqliteStorage } from 'tollgate';

/** What all processes of a run open. */
export type StoreChoice =
  | { readonly kind: 'sqlite'; readonly path: string }
  | { readonly kind: 'postgres'; readonly url: string; readonly requireStandby?: boolean }
  | { readonly kind: 'galera'; readonly url: string; readonly nodes: readonly string[] };

/** Longer than the nodes of a cluster need to agree that one of them is gone. */
const galeraTimes = { statementTimeoutMs: 8_000, connectTimeoutMs: 2_000 };

/** A store under attack. */
export interface TortureStore {
  readonly choice: StoreChoice;
  /** Kills the server with all its processes and resolves when it is back; null where the store is no process. */
  readonly killServer: (() => Promise<void>) | null;
  /** How much longer than leases last the store may need until all that was begun is processed. */
  readonly slowMs?: number;
  /** The store's own check of its files; returns what it finds. */
  readonly checkFiles: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** As a host would open it, with full syncs; `now` replaces the store's clock. */
export const openStore = async (choice: StoreChoice, now?: () => number): Promise<Storage> => {
  const clock = now === undefined ? {} : { now };
  switch (choice.kind) {
    case 'sqlite':
      return sqliteStorage({ path: choice.path, synchronous: 'full', ...clock });
    case 'postgres':
      return postgresStorage({
        connectionString: choice.url,
        requireStandby: choice.requireStandby ?? false,
        ...clock,
      });
    case 'galera':
      return mysqlStorage({ connectionString: choice.url, nodes: choice.nodes, ...galeraTimes, ...clock });
  }
};
