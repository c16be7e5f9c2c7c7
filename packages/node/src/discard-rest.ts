import type { IncomingMessage } from 'node:http';
import type { NodeLimits } from './node-limits.ts';

/** Takes the rest of a refused body in without keeping it, and cuts the connection when there is too much or no end of it. */
export const discardRest = (request: IncomingMessage, limits: NodeLimits): void => {
  let discarded = 0;
  const timer = setTimeout(() => request.destroy(), limits.bodyMs);
  request.on('data', (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > limits.discardedBytesMax) request.destroy();
  });
  request.on('close', () => clearTimeout(timer));
  request.resume();
};
