import type { JsonObject } from './json-object.ts';
import type { CallContext } from './call-context.ts';
import type { Usage } from './usage.ts';

/** A session that a model is to hold. */
export interface LiveCall {
  /** The operation's id; the same for every attempt. */
  readonly operationId: string;
  /** The id by which the upstream knows the model. */
  readonly upstreamModel: string;
  /** Which messages there are: those of a conversation, or those of music. */
  readonly kind: 'live' | 'music';
  /** The settings as the contract writes them, checked; a system instruction is always a content with parts. */
  readonly config: JsonObject;
}

/** A message in the contract's form: the body, and the text that says exactly the same. */
export interface LiveMessage {
  readonly body: JsonObject;
  readonly text: string;
  /** The text in UTF-8 where it is at hand: it need not be encoded again. */
  readonly utf8?: Uint8Array;
  /** Present where it is a piece of the user's audio and nothing else. */
  readonly audio?: object;
}

/** What happens on the upstream's side of a session. */
export type LiveEvent =
  /** For the client; never a measure, a handle of the upstream or a word of it about its own connection. */
  | { readonly kind: 'message'; readonly message: LiveMessage }
  /** The same as nothing but the bytes, JSON in UTF-8: the gateway passes them on unread. Never music, whose sound it measures. */
  | { readonly kind: 'bytes'; readonly utf8: Uint8Array }
  /** What one turn has used, told once when it has ended; turns add up. */
  | { readonly kind: 'usage'; readonly usage: readonly Usage[] }
  /**
   * The last event. `measured` is false where something may have been used of which no usage was reported: the operation becomes
   * uncertain. Music is measured by its audio alone. `cause` is `ended` where the session came to its own end.
   */
  | { readonly kind: 'closed'; readonly cause: 'ended' | 'lost'; readonly measured: boolean };

/** The upstream's side of an open session. Never throws; what goes wrong is an event. */
export interface LiveUpstream {
  readonly send: (message: LiveMessage) => void;
  /** Called once; what happened before is reported at once, in order. */
  readonly onEvent: (listener: (event: LiveEvent) => void) => void;
  /** Bytes that the upstream has not taken in yet. */
  readonly bufferedBytes: () => number;
  /** Ends the session: at most waits a little for the measure of the turn in hand, then tells `closed`. */
  readonly close: () => void;
}

/** Realtime sessions of a provider. Connections that end before their session does are its own business. */
export interface ProviderLive {
  /**
   * Opens a session, and resolves once it is ready for messages. Throws `NotExecuted` where it was certainly not opened; an
   * aborted signal gives the opening up.
   */
  readonly connect: (call: LiveCall, context: CallContext) => Promise<LiveUpstream>;
}

/** Keeps what happens until a listener is set. */
export interface LiveEvents {
  readonly emit: (event: LiveEvent) => void;
  readonly onEvent: LiveUpstream['onEvent'];
}

/** The events of one session, for providers to build on: told in order, and none after `closed`. */
export const createLiveEvents = (): LiveEvents => {
  let waiting: LiveEvent[] | null = [];
  let listener: (event: LiveEvent) => void = (event) => void waiting?.push(event);
  let closed = false;
  return {
    emit: (event) => {
      if (closed) return;
      closed = event.kind === 'closed';
      listener(event);
    },
    onEvent: (listen) => {
      const before = waiting ?? [];
      waiting = null;
      listener = listen;
      for (const event of before) listen(event);
    },
  };
};
