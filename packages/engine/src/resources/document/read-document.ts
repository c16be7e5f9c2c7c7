/** A page of a document's text. */
export interface DocumentPage {
  /** Counts from 1; null where the document has no pages. */
  readonly number: number | null;
  readonly text: string;
}

export type ReadDocument =
  | { readonly kind: 'read'; readonly pages: readonly DocumentPage[] }
  /** `unreadable`: broken, locked, or of another type. `too_long`: beyond a bound; nothing is cut silently. */
  | { readonly kind: 'refused'; readonly reason: 'unreadable' | 'too_long' };

/** Reads the text of a PDF, page by page; must bound time and memory whatever the bytes are. Throws where it was let go of. */
export type PdfReader = (read: () => AsyncIterable<Uint8Array>, signal: AbortSignal) => Promise<ReadDocument>;
