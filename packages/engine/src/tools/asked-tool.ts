import type { InteractionTool } from '@tollgate/provider';

/** A tool of the host's own, as a client asks for it. */
export interface HostTool {
  readonly kind: 'host_tool';
  /** Under which the host registered it. */
  readonly name: string;
}

/** A tool of an interaction: one that the contract names, or one of the host's own. */
export type AskedTool = InteractionTool | HostTool;
