import type { CallContext, Generation, GenerationCall, GenerationEnd, OnCallPiece, OnParts } from '@tollgate/provider';
import type { Upstream } from './upstream.ts';

/** Who takes the pieces of a streamed generation. */
export interface Takers {
  readonly onParts: OnParts;
  readonly onCallPiece: OnCallPiece | undefined;
}

/** How one generation is asked for on one wire of the upstream. */
export interface GenerationWire {
  readonly generate: (upstream: Upstream, call: GenerationCall, context: CallContext) => Promise<Generation>;
  /** Absent where the wire gives an answer whole. */
  readonly generateStream?: (
    upstream: Upstream,
    call: GenerationCall,
    context: CallContext,
    takers: Takers,
  ) => Promise<GenerationEnd>;
}
