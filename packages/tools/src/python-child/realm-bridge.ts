/**
 * Everything that the realm of the interpreter is given from outside. Only texts, numbers, booleans and the realm's own byte
 * arrays pass, in both directions: an object of ours would lead a program to the objects that ours inherit from. What comes from
 * the realm may be anything and is checked by what the engine itself knows of it, never by its properties.
 */
export interface RealmBridge {
  /** Parts of the interpreter by name. Refused once `lock` was called. */
  readonly readText: (name: string) => string;
  readonly sizeOf: (name: string) => number;
  readonly readInto: (name: string, target: Uint8Array) => void;
  /** What the parent sent: the job as JSON, and the contents of its files. */
  readonly jobText: () => string;
  readonly contentsBytes: () => number;
  readonly contentsInto: (target: Uint8Array) => void;
  readonly nowMs: () => number;
  readonly randomBase64: (byteCount: number) => string;
  readonly decode: (label: string, bytes: Uint8Array, ignoresMark: boolean, isFatal: boolean) => string;
  readonly encodedBytes: (text: string) => number;
  /** Returns how many bytes were written. */
  readonly encodeInto: (text: string, target: Uint8Array) => number;
  /** From here on a program may run. */
  readonly lock: () => void;
  /** Text of the program; false where there was too much already. */
  readonly output: (bytes: Uint8Array) => boolean;
  readonly errors: (bytes: Uint8Array) => boolean;
  /** How long a further file may be; negative where there may be none. */
  readonly roomBytes: () => number;
  /** A file that the program made or changed; left out where there is no room for it. */
  readonly file: (path: string, bytes: Uint8Array) => void;
  readonly leftOut: () => void;
  /** A file that it was given and removed, by its place in the job. */
  readonly removed: (index: number) => void;
  /** The process ends by each of these. */
  readonly end: (ended: boolean) => void;
  readonly snapshot: (memory: Uint8Array) => void;
  readonly fail: (diagnosis: string) => void;
}
