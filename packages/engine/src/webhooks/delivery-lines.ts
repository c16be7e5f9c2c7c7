import type { DeliveryRecord, WebhookRecord } from '@tollgate/storage';
import { createDeliveryRoom, roomNamesOf, type RoomNames } from './delivery-room.ts';

/** Deliveries that wait for room under their claim: of one webhook, and in all. */
const waitingPerWebhookMax = 256;
const waitingMax = 1_024;

/** One webhook, and how its deliveries are begun. */
export interface DeliveryTarget {
  readonly webhook: Pick<WebhookRecord, 'id' | 'url' | 'projectId'>;
  /** Resolves when the delivery was sent, whatever came of it. */
  readonly send: (delivery: DeliveryRecord) => Promise<void>;
}

interface Waiting {
  readonly delivery: DeliveryRecord;
  readonly sinceMs: number;
}

/** The line of one webhook. */
interface Line {
  readonly webhookId: string;
  readonly names: RoomNames;
  send: DeliveryTarget['send'];
  readonly waiting: Waiting[];
}

export interface DeliveryLineOptions {
  readonly monotonicMs: () => number;
  /** How long a delivery waits at the most; its webhook may be another by then. */
  readonly waitMs: number;
  /** Is given the deliveries for which there is no room in time. */
  readonly putOff: (delivery: DeliveryRecord) => void;
  /** Is called when nothing is being sent any more. */
  readonly whenIdle: () => void;
}

/** Deliveries that are being sent, and those that wait for room, in a line for each webhook. */
export interface DeliveryLines {
  /** Sends deliveries as soon as there is room for each. Throws, having done nothing, on an address that cannot be read. */
  add(target: DeliveryTarget, deliveries: readonly DeliveryRecord[]): void;
  /** How many are being sent. */
  count(): number;
  /** Resolves when nothing is being sent, and nothing waits. */
  idle(): Promise<void>;
}

const none: readonly Line[] = [];

/** The lines in which a delivery waits; the one that was served last is the last. */
const createWaiting = ({ monotonicMs, waitMs, putOff }: DeliveryLineOptions) => {
  const lines = new Map<string, Line>();
  let count = 0;
  return {
    lineOf: ({ webhook, send }: DeliveryTarget): Line => {
      const line = lines.get(webhook.id) ?? { webhookId: webhook.id, names: roomNamesOf(webhook), send, waiting: [] };
      line.send = send;
      return line;
    },
    all: (): readonly Line[] => (lines.size === 0 ? none : [...lines.values()]),
    join: (line: Line, delivery: DeliveryRecord): void => {
      if (line.waiting.length >= waitingPerWebhookMax || count >= waitingMax) return putOff(delivery);
      line.waiting.push({ delivery, sinceMs: monotonicMs() });
      count += 1;
      lines.set(line.webhookId, line);
    },
    /** Takes out the first of a line that has not waited too long. */
    next: (line: Line): DeliveryRecord | undefined => {
      let first = line.waiting.shift();
      count -= 1;
      while (first !== undefined && monotonicMs() - first.sinceMs > waitMs) {
        putOff(first.delivery);
        first = line.waiting.shift();
        if (first !== undefined) count -= 1;
      }
      lines.delete(line.webhookId);
      if (line.waiting.length > 0) lines.set(line.webhookId, line);
      return first?.delivery;
    },
  };
};

export const createDeliveryLines = (options: DeliveryLineOptions): DeliveryLines => {
  const room = createDeliveryRoom();
  const waiting = createWaiting(options);
  const idlers: (() => void)[] = [];
  let sending = 0;
  const start = ({ names, send }: Line, delivery: DeliveryRecord): void => {
    sending += 1;
    const end = (): void => {
      sending -= 1;
      room.leave(names);
      serve();
      if (sending > 0) return;
      options.whenIdle();
      for (const wake of idlers.splice(0)) wake();
    };
    send(delivery).then(end, end);
  };
  /** Sends the first of each line for which there is room. */
  const serve = (): void => {
    for (const line of waiting.all()) {
      if (!room.take(line.names)) continue;
      const delivery = waiting.next(line);
      if (delivery === undefined) room.leave(line.names);
      else start(line, delivery);
    }
  };
  return {
    add: (target, deliveries) => {
      const line = waiting.lineOf(target);
      for (const delivery of deliveries)
        if (line.waiting.length === 0 && room.take(line.names)) start(line, delivery);
        else waiting.join(line, delivery);
    },
    count: () => sending,
    idle: () => (sending === 0 ? Promise.resolve() : new Promise((resolve) => idlers.push(resolve))),
  };
};
