import type { Observer } from '@tollgate/engine';
import type { GatewayOptions } from './gateway-options.ts';
import { createRequestLog, type RequestLine } from './request-log.ts';

const toStandardOutput = (line: RequestLine): void => console.log(JSON.stringify(line));

/** Everyone who is shown what happens in a gateway: the observers of the host, and its log of requests. */
export const observersOf = ({ observers = [], requestLog, world = {} }: GatewayOptions): readonly Observer[] => {
  if (requestLog === undefined) return observers;
  const { wallClockMs = Date.now, monotonicMs = () => performance.now() } = world;
  const write = requestLog === true ? toStandardOutput : requestLog;
  return [...observers, createRequestLog({ write, wallClockMs, monotonicMs })];
};
