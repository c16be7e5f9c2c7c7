/** A socket of any library: text frames both ways, and signs of life. No method throws, also after the end. */
export interface LiveSocket {
  readonly send: (text: string) => void;
  /** Ends with a code, once. */
  readonly close: (code: number) => void;
  /** Ends at once, and frees what waits to be sent. */
  readonly terminate: () => void;
  /** Asks for a sign of life. */
  readonly ping: () => void;
  /** Bytes that the peer has not taken in yet. */
  readonly bufferedBytes: () => number;
  /** Whole messages; `text` is null where one was sent as bytes. */
  readonly onMessage: (listener: (text: string | null, bytes: number) => void) => void;
  readonly onPong: (listener: () => void) => void;
  /** Told once, whoever ended it. */
  readonly onClose: (listener: () => void) => void;
}
