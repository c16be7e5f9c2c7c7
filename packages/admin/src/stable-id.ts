import { createHash } from 'node:crypto';

/**
 * The id of what is created under an Idempotency-Key: a repeat names the same one, in any process. Version 8 of the uuid, which is for
 * ids that a program derives.
 */
export const stableId = (what: string, identity: string): string => {
  const hex = createHash('sha256').update(`${what}\n${identity}`).digest('hex');
  const variant = ((Number.parseInt(hex.slice(16, 17), 16) % 4) + 8).toString(16);
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `8${hex.slice(13, 16)}`,
    `${variant}${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-');
};
