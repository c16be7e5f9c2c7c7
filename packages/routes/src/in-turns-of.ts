import type { GatewayRequest } from './gateway-request.ts';
import type { InTurns } from './parse-in-turns.ts';
import type { Service } from './service.ts';

const secretBytes = 16;

/** How the body of a request is parsed; one without turns, such as a part of another body, is parsed at once. */
export const inTurnsOf = ({ engine }: Pick<Service, 'engine'>, { turn }: GatewayRequest): InTurns => ({
  turn: turn ?? (() => Promise.resolve()),
  secret: () => Buffer.from(engine.randomBytes(secretBytes)).toString('hex'),
});
