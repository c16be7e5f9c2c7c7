/** One file of an environment. */
export interface EnvironmentFile {
  /** Relative to the root, `/` between its folders; no other file has it. */
  readonly path: string;
  readonly sizeBytes: number;
  readonly mimeType: string;
  /** Of the bytes, lowercase hex. */
  readonly sha256: string;
  /** Where they lie; every version of a file has a blob of its own. */
  readonly blobKey: string;
  readonly createdAtMs: number;
  readonly modifiedAtMs: number;
}

/** The files of an environment (`id` is the environment's), all in one row, so that a change of several is one step. */
export interface EnvironmentTreeRecord {
  readonly id: string;
  readonly projectId: string;
  /** By path. */
  readonly files: readonly EnvironmentFile[];
  readonly fileCount: number;
  readonly sizeBytes: number;
  /** Raised by every change. */
  readonly revision: number;
  readonly updatedAtMs: number;
}
