/** What the process is started with, as JSON in its first argument. */
export interface ChildSetup {
  /** The folder of the interpreter, with a slash at the end. */
  readonly folder: string;
  /** The memory of an interpreter that has been started already; without it that memory is made and sent. */
  readonly snapshot: string | null;
  readonly purpose: 'run' | 'snapshot';
  /** Python that prepares the interpreter, and Python that runs the program and returns whether it came to its end. */
  readonly prologue: string;
  readonly runProgram: string;
  readonly limits: FrameLimits;
}

/** What the process may send. The child keeps to it; the parent ends a child that does not. */
export interface FrameLimits {
  readonly outputBytesMax: number;
  readonly errorBytesMax: number;
  readonly filesMax: number;
  readonly filesBytesMax: number;
  readonly pathBytesMax: number;
  /** The memory of a started interpreter; 0 where the process runs a program. */
  readonly snapshotBytesMax: number;
}

/** What comes in: the token, the length of this as JSON in four bytes, this, and the bytes of the files one after the other. */
export interface ChildJob {
  readonly code: string;
  readonly files: readonly { readonly path: string; readonly sizeBytes: number }[];
}

/**
 * What goes out: frames of a head and a body. The head is the token, the letter of the kind and the length of the body in four
 * bytes; no body is empty. Bodies by kind: `o` and `e`: text of the two streams; `f`: a file, as the length of its path in two
 * bytes, the path and the content; `d`: the end, as a byte of flags and the index of each removed file in four bytes; `s`: the
 * memory of a started interpreter. Nothing follows `d` or `s`.
 */
export type FrameKind = 'o' | 'e' | 'f' | 'd' | 's';

/** The figures of that form. Parent and child each write them down, as neither may load the other's code; the type keeps them equal. */
export interface FrameForm {
  readonly tokenBytes: 16;
  readonly headBytes: 21;
  readonly pathLengthBytes: 2;
  readonly indexBytes: 4;
  readonly endedFlag: 1;
  readonly outputFittedFlag: 2;
  readonly filesFittedFlag: 4;
}
