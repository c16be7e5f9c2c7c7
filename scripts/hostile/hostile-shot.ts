import { basePath } from '@tollgate/contract';
import type { HostileProcess } from './gateway-process.ts';
import type { HostileBody } from './hostile-bodies.ts';
import type { HostileRoute } from './hostile-routes.ts';
import { sendBody, type Sending } from './send-body.ts';

/** An HTTP request as it is sent with a key. */
export interface HttpShot {
  readonly kind: 'http';
  readonly sendingOf: (gateway: Pick<HostileProcess, 'origin'>, key: string) => Sending;
  readonly body: Buffer;
}

/** Anything else that is sent with a key; returns the code of its end. */
export interface OtherShot {
  readonly kind: 'other';
  readonly send: (gateway: Pick<HostileProcess, 'origin'>, key: string) => Promise<number>;
}

/** One hostile thing that a client can send. */
export interface Shot {
  /** The route, or the way in. */
  readonly surface: string;
  readonly place: string;
  readonly filler: string;
  /** To which its key is bound. */
  readonly model: string;
  /** Makes what is sent, outside of the measurement: all of them at once would not fit into memory. */
  readonly build: () => HttpShot | OtherShot;
}

/** Sends what was built once, and returns the status or the close code of the answer; 0 where there is none. */
export const sendShot = async (
  built: HttpShot | OtherShot,
  gateway: Pick<HostileProcess, 'origin'>,
  key: string,
): Promise<number> =>
  built.kind === 'http' ? (await sendBody(built.sendingOf(gateway, key), built.body)).status : built.send(gateway, key);

/** How a route is asked with a key. */
const sendingOf = (
  { origin }: Pick<HostileProcess, 'origin'>,
  { method, path, keyHeader }: HostileRoute,
  key: string,
): Sending => ({
  origin,
  method,
  path: `${basePath}${path}`,
  headers: keyHeader === null ? { authorization: `Bearer ${key}` } : { [keyHeader]: key },
});

/** A JSON body as it is sent to a route. */
export const jsonShot = (route: HostileRoute, { place, filler, build }: HostileBody): Shot => ({
  surface: route.id,
  place,
  filler,
  model: route.model,
  build: () => ({
    kind: 'http',
    sendingOf: (gateway, key) => sendingOf(gateway, route, key),
    body: Buffer.from(build()),
  }),
});
