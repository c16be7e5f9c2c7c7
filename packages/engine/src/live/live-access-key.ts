import { createHash, createHmac } from 'node:crypto';

/**
 * The access key of a session, made from the host's secret and the session's id: it need not be stored to be returned again.
 */
export const liveAccessKey = (secret: string, id: string): string =>
  createHmac('sha256', secret).update(`live access\n${id}`).digest('hex');

/** What is kept of an access key. */
export const hashAccessKey = (accessKey: string): string => createHash('sha256').update(accessKey).digest('hex');
