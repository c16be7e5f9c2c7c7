/** Where a streamed body goes: the connection of one client. */
export interface FeedSink {
  /** Takes the next text whole; false asks for no more before `resume`. */
  write(text: string): boolean;
  /** The body is complete. */
  end(): void;
  /** Breaks the connection off after what was written, so that no client takes the body for complete. */
  cut(): void;
}

/** What a connection tells its feed. */
export interface FeedTap {
  /** The client has room again. */
  resume(): void;
  /** The client has gone; what still comes is thrown away. */
  leave(): void;
}

/** A body that is sent piece by piece while it is made. Nothing is lost before it is attached, and it is attached once. */
export interface EventFeed {
  readonly kind: 'events';
  /** Begins with what is there already, for as much as the sink takes. */
  attach(sink: FeedSink): FeedTap;
}
