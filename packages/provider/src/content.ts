/** One piece of a turn, in the contents/parts form that every route and every upstream maps to and from. */
export type Part =
  | { readonly kind: 'text'; readonly text: string }
  /** `data` is base64 without a prefix. */
  | { readonly kind: 'media'; readonly mimeType: string; readonly data: string; readonly filename?: string }
  | FunctionCallPart
  | FunctionResponsePart;

/** A proposal to call a function of the client. */
export interface FunctionCallPart {
  readonly kind: 'function_call';
  readonly id: string;
  readonly name: string;
  /** JSON text, exactly as the model or the client wrote it. */
  readonly arguments: string;
  /** The upstream's opaque state of this call, to be handed back unchanged. */
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
