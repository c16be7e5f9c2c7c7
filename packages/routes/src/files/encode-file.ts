import type { FileRecord } from '@tollgate/storage';
import type { GatewayRequest } from '../gateway-request.ts';
import type { Service } from '../service.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

type Dialect = GatewayRequest['dialect'];

/** What a file is for; a file of a client that did not say it is for its users. */
export const purposeOf = ({ purpose }: FileRecord): string => purpose ?? 'user_data';

/** What OpenAI's clients look at beside the contract's fields. */
const openaiFields = (file: FileRecord) => ({
  bytes: file.sizeBytes,
  filename: file.displayName,
  purpose: purposeOf(file),
});

/** The words by which these clients tell a file that can be used from one that is worth another look. */
const openaiStates = {
  processing: 'uploaded',
  active: 'processed',
  failed: 'error',
  expired: 'deleted',
  deleted: 'deleted',
} as const;

const seconds = (ms: number): number => Math.floor(ms / 1_000);

/** What these clients read otherwise than the contract writes it; for them alone. */
const openaiForm = (file: FileRecord) => ({
  status: openaiStates[file.status],
  created_at: seconds(file.createdAtMs),
  expires_at: seconds(file.expiresAtMs),
});

// files:record:fields, files:record:no-upstream
/** The public record of a file; nothing of what an upstream calls it. */
export const fileBody = ({ compatibility }: Service, file: FileRecord, dialect: Dialect) => ({
  id: file.id,
  object: 'file',
  name: `files/${file.id}`,
  display_name: file.displayName,
  mime_type: file.mimeType,
  size_bytes: file.sizeBytes,
  sha256: file.sha256,
  status: file.status,
  created_at: iso(file.createdAtMs),
  updated_at: iso(file.updatedAtMs),
  expires_at: iso(file.expiresAtMs),
  error_code: file.errorCode,
  ...(compatibility.openai === true ? openaiFields(file) : {}),
  ...(dialect === 'openai' ? openaiForm(file) : {}),
});
