/** A socket of any library: text frames both ways, and signs of life. No method throws, also after the end. */
export interface LiveSocket {
  /** The `Origin` of the request that opened it; null where it named none, as clients do that are no pages. */
  readonly origin: string | null;
  /** Text, as characters or as UTF-8. */
  readonly send: (text: string | Uint8Array) => void;
  /** Ends with a code, once; a wire that has no error frames says why in the reason, of 123 bytes at the most. */
  readonly close: (code: number, reason?: string) => void;
  /** Ends at once, and frees what waits to be sent. */
  readonly terminate: () => void;
  /** Asks for a sign of life. */
  readonly ping: () => void;
  /** Bytes that the peer has not taken in yet. */
  readonly bufferedBytes: () => number;
  /** Whole messages, as the UTF-8 of their text, which is valid; null where one was sent as bytes. */
  readonly onMessage: (listener: (utf8: Buffer | null) => void) => void;
  readonly onPong: (listener: () => void) => void;
  /** Reported once, from either side. */
  readonly onClose: (listener: () => void) => void;
}
