import type { Metadata } from './account-record.ts';

/** A project groups keys, requests and resources; every project of an account draws on that account's wallet. */
export interface ProjectRecord {
  readonly id: string;
  readonly accountId: string;
  readonly name: string;
  /** `closed` is final: it opens nothing any more, and what runs ends. */
  readonly status: 'active' | 'paused' | 'blocked' | 'closed';
  readonly createdAtMs: number;
  /** Null where the host never gave any. */
  readonly metadata: Metadata | null;
  readonly closedAtMs: number | null;
}

/** A key at rest: the secret itself is shown once and never stored. */
export interface ApiKeyRecord {
  readonly id: string;
  readonly projectId: string;
  readonly accountId: string;
  readonly name: string;
  /** The catalog id that the key is bound to for life; null chooses automatically. */
  readonly model: string | null;
  /** SHA-256 of the secret, in lowercase hex. */
  readonly secretHash: string;
  readonly status: 'active' | 'inactive' | 'revoked';
  readonly createdAtMs: number;
  readonly revokedAtMs: number | null;
}
