import type { CacheMark } from './cache-mark.ts';
import type { JsonObject } from './json-object.ts';
import type { ProjectFile } from './project-file.ts';

/** One piece of a turn, in the contents/parts form that every route and every upstream maps to and from. */
export type Part =
  | TextPart
  | MediaPart
  | BlobPart
  | FunctionCallPart
  | FunctionResponsePart
  | ExecutableCodePart
  | CodeExecutionResultPart;

/** What any part of a model's turn may carry beside its content. */
export interface ModelPart {
  /** The upstream's opaque state of this part, to be handed back unchanged; well-formed Unicode, as it is stored. */
  readonly context?: string;
  /** Part of the model's reasoning, not of its answer. */
  readonly thought?: true;
  /** What comes up to the end of this part may be kept by the upstream; of input only. */
  readonly cache?: CacheMark | undefined;
}

export interface TextPart extends ModelPart {
  readonly kind: 'text';
  readonly text: string;
  /**
   * What the text cites, in the contract's form (`url_citation`, `file_citation`). `start_index` and `end_index` count the UTF-16
   * units of the whole visible text of the answer, thoughts left out, so that they hold however a stream is divided. A piece of a
   * stream may bring citations of what came before it, and no text.
   */
  readonly annotations?: readonly JsonObject[] | undefined;
}

/** How closely an image is examined. */
export type ImageDetail = 'auto' | 'low' | 'high' | 'original';

/** Bytes of a known media type, small enough to travel inside the call. */
export interface MediaPart extends ModelPart {
  readonly kind: 'media';
  /** With its parameters, as in `audio/L16;rate=24000`. */
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly data: string;
  readonly filename?: string;
  readonly detail?: ImageDetail;
}

/** Bytes of a known media type that lie in the host's blob store, or in memory: large inline media, and files of the project. */
export interface BlobPart extends ModelPart {
  readonly kind: 'blob';
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** Reads the bytes from the beginning, in chunks; may be called again. */
  readonly read: () => AsyncIterable<Uint8Array>;
  /** Where they lie in that store, if they do; says nothing to an upstream. */
  readonly blobKey?: string;
  /** Present where the bytes are a file of the project, which an upstream may be given once and named afterwards. */
  readonly file?: ProjectFile;
  readonly filename?: string;
  readonly detail?: ImageDetail;
}

/** A proposal to call a function of the client. */
export interface FunctionCallPart extends ModelPart {
  readonly kind: 'function_call';
  readonly id: string;
  readonly name: string;
  /** JSON text, exactly as the model or the client wrote it. */
  readonly arguments: string;
}

/** What the client's function answered. */
export interface FunctionResponsePart {
  readonly kind: 'function_response';
  readonly id: string;
  readonly name: string;
  /** Serialized result text. */
  readonly response: string;
  /** As of any other part. */
  readonly cache?: CacheMark | undefined;
}

/** Code that the model wrote and the upstream ran. */
export interface ExecutableCodePart extends ModelPart {
  readonly kind: 'executable_code';
  readonly id?: string;
  /** As the upstream names it, in upper case: `PYTHON`. */
  readonly language: string;
  readonly code: string;
}

export interface CodeExecutionResultPart extends ModelPart {
  readonly kind: 'code_execution_result';
  readonly id?: string;
  readonly outcome: 'ok' | 'failed' | 'deadline_exceeded';
  readonly output: string;
}

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}
