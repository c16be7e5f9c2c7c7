import { chatBounds } from '@tollgate/contract';

const { remoteImageFetchesPerProjectMax, remoteImageBytesUnderWayMax } = chatBounds;

/** What one chat holds of the budget. */
export interface ImageAllowance {
  /** Reserves the most that a fetch may bring. False where the project or the process has no room now. */
  readonly begin: (bytesMax: number) => boolean;
  /** Ends the fetch that began last: so many bytes stay reserved until `release`. */
  readonly finish: (bytes: number) => void;
  /** Gives back whatever the chat still holds. */
  readonly release: () => void;
}

/** The images that the chats of this process fetch and hold in memory. */
export interface ImageBudget {
  readonly open: (projectId: string) => ImageAllowance;
}

/** A process holds no more bytes of images than this, and a project has only its share of the fetches. */
export const createImageBudget = (): ImageBudget => {
  const fetches = new Map<string, number>();
  let bytes = 0;
  const count = (projectId: string, change: number): void => {
    const left = (fetches.get(projectId) ?? 0) + change;
    if (left === 0) fetches.delete(projectId);
    else fetches.set(projectId, left);
  };
  return {
    open: (projectId) => {
      let held = 0;
      let reserved: number | null = null;
      const finish = (kept: number): void => {
        if (reserved === null) return;
        bytes += kept - reserved;
        held += kept;
        reserved = null;
        count(projectId, -1);
      };
      return {
        begin: (bytesMax) => {
          const isFull = (fetches.get(projectId) ?? 0) >= remoteImageFetchesPerProjectMax;
          if (isFull || bytes + bytesMax > remoteImageBytesUnderWayMax) return false;
          reserved = bytesMax;
          bytes += bytesMax;
          count(projectId, 1);
          return true;
        },
        finish,
        release: () => {
          finish(0);
          bytes -= held;
          held = 0;
        },
      };
    },
  };
};
