import type { Engine } from '@tollgate/engine';

/** One run of one process, from its start to its death. */
export interface Life {
  readonly name: string;
  readonly engine: Engine;
  alive: boolean;
  /** A call of it was never answered: it may hang until it is killed. */
  hung: boolean;
}
