import { isUuid } from '@tollgate/contract';

/** The results of a batch that completed, or what became of its other requests. */
export type ResultPart = 'output' | 'errors';

/** A file of results. It is written when it is read, so it has no record: its id names the batch. */
export interface ResultFile {
  readonly batchId: string;
  readonly part: ResultPart;
}

export const resultFileId = ({ batchId, part }: ResultFile): string => `file-${batchId}-${part}`;

const shape = /^file-(.{36})-(output|errors)$/;

/** The results that the id of a file names; null for the id of another file. */
export const resultFileOf = (id: string): ResultFile | null => {
  const [, batchId = '', part] = shape.exec(id) ?? [];
  return isUuid(batchId) && (part === 'output' || part === 'errors') ? { batchId, part } : null;
};
