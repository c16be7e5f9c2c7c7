import type { FileRecord } from '@tollgate/storage';
import type { Service } from '../service.ts';

const iso = (ms: number): string => new Date(ms).toISOString();

/** What OpenAI's clients look at beside the contract's fields. */
const openaiFields = (file: FileRecord) => ({
  bytes: file.sizeBytes,
  filename: file.displayName,
  purpose: 'user_data',
});

/** The public record of a file; nothing of what an upstream calls it (files:record:fields, files:record:no-upstream). */
export const fileBody = ({ compatibility }: Service, file: FileRecord) => ({
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
});
