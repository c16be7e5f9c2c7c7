import { createHash } from 'node:crypto';

const idOf = (text: string): string => {
  const hex = createHash('sha256').update(text).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
};

/** The id of the key of a reference, a uuid: so that two processes that make it at once make one. */
export const referredKeyId = (projectId: string, reference: string): string =>
  idOf(`key of ${projectId}: ${reference}`);

/** The id of the record under which the callers of a project count whom the host recognises without naming a key. */
export const callersKeyId = (projectId: string): string => idOf(`callers of ${projectId}`);
