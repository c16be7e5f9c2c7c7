import { isLifted } from '@tollgate/contract';
import { isFormFile } from '../multipart/form-fields.ts';

/** What stands in the place of bytes that a hook is not shown. */
interface Omitted {
  readonly omitted: 'media' | 'file';
  readonly sizeBytes: number;
}

const omittedOf = (value: unknown): Omitted | null => {
  if (isLifted(value)) return { omitted: 'media', sizeBytes: value.sizeBytes };
  if (!isFormFile(value)) return null;
  const { data } = value;
  return { omitted: 'file', sizeBytes: typeof data === 'string' ? Math.floor((data.length * 3) / 4) : data.sizeBytes };
};

/** A copy of a parsed body, so that nothing of what runs can be changed through it. Its depth and its size are those of a body. */
export const shownBody = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null) return value;
  const omitted = omittedOf(value);
  if (omitted !== null) return omitted;
  if (Array.isArray(value)) return value.map(shownBody);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shownBody(member)]));
};
