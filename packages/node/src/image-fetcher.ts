import type { ImageFetcher } from '@tollgate/routes';
import type { EgressRefusal } from './egress/egress-url.ts';
import { optionsCheck, timerMs, whole } from '@tollgate/contract/configuration';
import { egressChecks } from './egress/egress-options-check.ts';
import { createEgress, type EgressOptions, type UnreachableReason } from './egress/guarded-request.ts';
import { readAnswer } from './egress/read-answer.ts';

export interface ImageFetcherOptions extends EgressOptions {
  /** For one image, from the name to the last byte (default 10 seconds). */
  readonly deadlineMs?: number;
  /** Redirects that are followed, each address checked as the first one was (default 3). */
  readonly redirectsMax?: number;
}

/** Each option of the fetching of images. */
export const imageFetcherCheck = optionsCheck<ImageFetcherOptions>({
  ...egressChecks,
  deadlineMs: timerMs({ min: 1 }),
  redirectsMax: whole({ max: 20 }),
});

const deadlineMsDefault = 10_000;
const redirectsMaxDefault = 3;

/** What is wrong with an address, in words that follow the name of its field. */
const refusals: Readonly<Record<EgressRefusal, string>> = {
  malformed: 'is no absolute address, or holds spaces, control characters or backslashes',
  scheme: 'does not begin with https or http',
  port: 'names a port other than that of its scheme',
  credentials: 'holds credentials',
  ip_address: 'names its host by an IP address; name it by its name',
  host_name:
    'names a host with characters that no host name has; a name of another script must have an ASCII form (xn--)',
  host: 'names no public host',
  not_public: 'does not lead to public addresses only',
  not_allowed: 'leads where requests may not go',
};
const failures: Readonly<Record<UnreachableReason, string>> = {
  unresolved: 'names a host that has no address',
  deadline: 'was not answered in time',
  aborted: 'was not answered in time',
  connection: 'could not be reached',
};

const failed = (why: string) => ({ kind: 'failed', why }) as const;

/**
 * Fetches images that clients name by address: from public addresses only, checked before each connection and again after each
 * redirect, without anything by which the caller could be known.
 */
export const imageFetcher = (options: ImageFetcherOptions = {}): ImageFetcher => {
  const { deadlineMs = deadlineMsDefault, redirectsMax = redirectsMaxDefault } = options;
  const egress = createEgress({ schemes: ['https', 'http'], ...options });
  return async (url, { bytesMax, msMax, signal }) => {
    const headers = { accept: 'image/png, image/jpeg, image/webp' };
    const answer = await egress.open({
      url,
      headers,
      deadlineMs: Math.min(deadlineMs, msMax),
      redirectsMax,
      signal,
    });
    if (answer.kind === 'refused') return failed(refusals[answer.reason]);
    if (answer.kind === 'unreachable') return failed(failures[answer.reason]);
    if (answer.status !== 200) {
      answer.close();
      return failed(`was answered with the status ${answer.status}`);
    }
    const { bytes, isWhole } = await readAnswer(answer, bytesMax);
    if (isWhole) return { kind: 'fetched', bytes };
    return failed(
      bytes.byteLength === bytesMax
        ? `leads to more than ${bytesMax} bytes`
        : 'was answered with less than was announced',
    );
  };
};
