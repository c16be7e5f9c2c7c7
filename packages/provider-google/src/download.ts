import { readUpstreamIds, UnknownOutcome, type Attempt, type CallContext, type UpstreamIds } from '@tollgate/provider';
import type { Dispatcher } from 'undici';
import type { Upstream } from './upstream.ts';

/** Addresses that one download is sent on to at the most. */
const redirectsMax = 3;

interface Target {
  /** The path at the upstream, where the key goes along; or an address elsewhere, which never gets it. */
  readonly url: URL;
  readonly isOwn: boolean;
}

type Answer = Pick<Dispatcher.ResponseData, 'statusCode' | 'headers' | 'body'>;

/** The first address is always asked for at the upstream's own origin. */
const firstTarget = ({ origin }: Upstream, uri: string): Target => {
  const { pathname, search } = new URL(uri, origin);
  return { url: new URL(`${pathname}${search}`, origin), isOwn: true };
};

const nextTarget = ({ origin }: Upstream, from: URL, location: unknown): Target | null => {
  if (typeof location !== 'string' || !URL.canParse(location, from.href)) return null;
  const url = new URL(location, from.href);
  const isOwn = url.origin === origin;
  return isOwn || url.protocol === 'https:' ? { url, isOwn } : null;
};

const request = async (upstream: Upstream, { url, isOwn }: Target, signal: AbortSignal): Promise<Answer> => {
  const path = `${url.pathname}${url.search}`;
  if (isOwn)
    return upstream.dispatcher.request({ origin: url.origin, path, method: 'GET', headers: upstream.headers, signal });
  const { request: fetchElsewhere } = await import('undici');
  return fetchElsewhere(url, { method: 'GET', signal });
};

const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/** One upstream request: where it leads on to, or null after it has handed over all bytes. */
async function* readOnce(
  upstream: Upstream,
  target: Target,
  context: CallContext,
): AsyncGenerator<Uint8Array, Target | null> {
  const startedAtMs = upstream.now();
  let told: Pick<Attempt, 'status' | 'outcome'> = { status: null, outcome: 'unknown' };
  let ids: UpstreamIds = {};
  try {
    const { statusCode: status, headers, body } = await request(upstream, target, context.signal);
    told = { status, outcome: 'unknown' };
    ids = readUpstreamIds(headers);
    if (status >= 300) {
      await body.dump();
      told = { status, outcome: 'refused' };
      const next = isRedirect(status) ? nextTarget(upstream, target.url, headers['location']) : null;
      if (next === null) throw new UnknownOutcome(`status_${status}`);
      told = { status, outcome: 'answered' };
      return next;
    }
    // A body of undici gives buffers.
    for await (const chunk of body as AsyncIterable<Buffer>) yield chunk;
    told = { status, outcome: 'answered' };
    return null;
  } catch (cause) {
    throw cause instanceof UnknownOutcome ? cause : new UnknownOutcome('connection_lost', cause);
  } finally {
    context.recordAttempt({ startedAtMs, durationMs: upstream.now() - startedAtMs, ...told, ...ids });
  }
}

/**
 * Reads what the upstream generated, as fast as its taker takes it. Sent on to another host it follows, over TLS and without the
 * key. Never throws `NotExecuted`: the thing is there, and can be asked for again.
 */
export async function* download(
  upstream: Upstream,
  uri: string,
  context: CallContext,
): AsyncGenerator<Uint8Array, void> {
  let target: Target | null = firstTarget(upstream, uri);
  for (let redirects = 0; redirects <= redirectsMax; redirects += 1) {
    target = yield* readOnce(upstream, target, context);
    if (target === null) return;
  }
  throw new UnknownOutcome('not_answered', new Error('too many redirects'));
}
