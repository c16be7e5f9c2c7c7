import type { EmbeddingPolicy } from '@tollgate/contract';
import type { Service } from '../service.ts';

// G63
/** How embedding requests are read: as the contract writes them, or with what the host takes beyond it. */
export const embeddingPolicy = ({ compatibility }: Service, compat: boolean): EmbeddingPolicy => ({
  compat,
  ...(compatibility.textsMax === undefined ? {} : { textsMax: compatibility.textsMax }),
});
