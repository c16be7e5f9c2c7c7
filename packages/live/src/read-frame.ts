import type { LiveCredential } from '@tollgate/engine';

/** The JSON value of a frame; undefined where it is none, which no JSON text is. */
export const parseFrame = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

// live:socket:access-message
/** The access that a first frame brings, or null where it is something else. */
export const readCredential = (value: unknown): LiveCredential | null => {
  if (typeof value !== 'object' || value === null || Object.keys(value).length !== 2) return null;
  if (!('id' in value) || !('access_key' in value)) return null;
  const { id, access_key: accessKey } = value;
  return typeof id === 'string' && typeof accessKey === 'string' ? { id, accessKey } : null;
};
