/** A file of the project, as a provider sees it. The bytes stay with the host; what an upstream keeps of them is a copy. */
export interface ProjectFile {
  readonly id: string;
  readonly displayName: string;
  readonly mimeType: string;
  readonly sizeBytes: number;
  /** Of the bytes, lowercase hex. */
  readonly sha256: string;
  readonly expiresAtMs: number;
  /** What this provider last noted of its own copy, such as the upstream's name for it; null where it has none. */
  readonly reference: string | null;
  /** Keeps a note for later calls, by any process. The last one written counts. */
  readonly keepReference: (reference: string) => Promise<void>;
  /** Reads the bytes from the beginning, in chunks; may be called again. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** How far an upstream is with its copy of a file. */
export type UpstreamFileState = 'processing' | 'active' | 'failed';
