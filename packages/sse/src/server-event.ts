/** One event as a reader sees it. */
export interface ServerEvent {
  /** The name of the event; absent for an unnamed one, which the standard calls `message`. */
  readonly event?: string | undefined;
  /** The data lines joined by line feeds. */
  readonly data: string;
  /** The last event id in force, which an earlier event may have set; absent while there is none. */
  readonly id?: string | undefined;
}
