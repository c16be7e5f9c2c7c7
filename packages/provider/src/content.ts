/** One piece of a turn, in the contents/parts form that every route and every upstream maps to and from. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  | MediaPart
  | FunctionCallPart
  | FunctionResponsePart;

/** Bytes of a known media type. */
export interface MediaPart {
  readonly kind: 'media';
  readonly mimeType: string;
  /** Base64 without a prefix. */
  readonly data: string;
  readonly filename?: string;
  /** How closely an image is to be looked at. */
  readonly detail?: 'auto' | 'low' | 'high' | 'original';
}

/** A proposal to call a function of the client. */
export interface FunctionCallPart {
  readonly kind: 'function_call';
  readonly id: string;
  readonly name: string;
  /** JSON text, exactly as the model or the client wrote it. */
  readonly arguments: string;
  /** The upstream's opaque state of this call, to be handed back unchanged; well-formed Unicode, as it is stored. */
  readonly context?: string;
}

/** What the client's function answered. */
export interface FunctionResponsePart {
  readonly kind: 'function_response';
  readonly id: string;
  readonly name: string;
  /** Serialized result text. */
  readonly response: string;
}

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly Part[];
}
