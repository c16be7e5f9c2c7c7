import type { LiveRelay } from '../live-relay.ts';
import type { LiveSocket } from '../live-socket.ts';
import { readToken, takesUp, usageFrame, type Setup } from './google-frames.ts';
import { googleSocket } from './google-socket.ts';
import type { LiveWire, OpenedSession, OpenSession, UpgradeRequest } from './live-wire.ts';

export interface GoogleWireOptions {
  readonly relay: Pick<LiveRelay, 'accept' | 'limits'>;
  readonly basePath: string;
  readonly open: OpenSession;
}

/** The method of a path, below the base path or at the root of the host; clients write one slash or two before it. */
const method =
  /^\/{1,2}ws\/google\.ai\.generativelanguage\.v1(?:alpha|beta)?\.GenerativeService\.(BidiGenerateContent(?:Constrained)?|BidiGenerateMusic)$/;

const methodOf = (basePath: string, path: string): string | null =>
  method.exec(path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path)?.[1] ?? null;

const bearer = /^bearer +(\S+)$/i;

/** A Bearer credential, the header of these clients, or the key in the address, which is all that a page can send. */
const keyOf = ({ header, query }: UpgradeRequest): string | null =>
  bearer.exec(header('authorization') ?? '')?.[1] ?? header('x-goog-api-key') ?? new URLSearchParams(query).get('key');

/** A token names its session, which keeps the setup that the token was made with: settings of the client have no effect. */
const ofToken = (token: string, setup: Setup): OpenedSession => {
  if (takesUp(setup))
    return {
      kind: 'refused',
      status: 422,
      message: 'The field sessionResumption.handle is not supported; accepted is none.',
    };
  const credential = readToken(token);
  return credential === null
    ? { kind: 'refused', status: 401, message: 'The token is wrong, expired or used.' }
    : { kind: 'opened', credential };
};

/** The sessions of Google's clients: a socket at a path of their own, whose first frame is a setup. */
export const googleWire =
  ({ relay, basePath, open }: GoogleWireOptions): LiveWire =>
  (request) => {
    const name = methodOf(basePath, request.path);
    if (name === null) return null;
    const token = new URLSearchParams(request.query).get('access_token') ?? '';
    const key = keyOf(request);
    const openFor = (setup: Setup): Promise<OpenedSession> =>
      name === 'BidiGenerateContentConstrained'
        ? Promise.resolve(ofToken(token, setup))
        : open({ key, upgrade: request, setup });
    return (socket: LiveSocket, onKnown) => {
      const mapped = googleSocket(socket, { limits: relay.limits, open: openFor });
      relay.accept(mapped, onKnown, (usage) => {
        const frame = usageFrame(usage);
        if (frame !== null) socket.send(frame);
      });
    };
  };
