import type { WebhookRecord } from '@tollgate/storage';

const inFlightMax = 512;
const inFlightPerWebhookMax = 8;
/** Hosts that many projects share, and projects with many webhooks, leave room for others. */
const inFlightPerHostMax = 64;
const inFlightPerProjectMax = 64;

/** Whose room the deliveries of a webhook take, and how much each has. */
export type RoomNames = readonly (readonly [string, number])[];

/** Throws on an address that cannot be read. */
export const roomNamesOf = ({ id, url, projectId }: Pick<WebhookRecord, 'id' | 'url' | 'projectId'>): RoomNames => [
  [`webhook ${id}`, inFlightPerWebhookMax],
  [`host ${new URL(url).hostname}`, inFlightPerHostMax],
  [`project ${projectId}`, inFlightPerProjectMax],
  ['all', inFlightMax],
];

/** Counts what is under way, so that a slow receiver does not block the others. */
export interface DeliveryRoom {
  /** Takes room for one; returns whether there was any. */
  take(names: RoomNames): boolean;
  /** Gives the room of one back. */
  leave(names: RoomNames): void;
}

export const createDeliveryRoom = (): DeliveryRoom => {
  const taken = new Map<string, number>();
  return {
    take: (names) => {
      if (names.some(([name, most]) => (taken.get(name) ?? 0) >= most)) return false;
      for (const [name] of names) taken.set(name, (taken.get(name) ?? 0) + 1);
      return true;
    },
    leave: (names) => {
      for (const [name] of names) {
        const left = (taken.get(name) ?? 1) - 1;
        if (left === 0) taken.delete(name);
        else taken.set(name, left);
      }
    },
  };
};
