/**
 * A client's hint that what comes up to here will be sent again, and may be kept by the upstream for so long. It changes no answer: an
 * upstream that has no place for it goes without.
 */
export interface CacheMark {
  readonly ttlSeconds: number;
}
