/** What a gateway noted of one part of a chat. */
export interface NotedPart {
  readonly name: string;
  /** Since the head of the request was read. */
  readonly atMs: number;
  readonly tookMs: number;
  /** Turns of the event loop since then. */
  readonly turn: number;
}

export interface NotedChat {
  readonly parts: readonly NotedPart[];
}
