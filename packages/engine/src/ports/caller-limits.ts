/** What a limiter allows one key, project or account; what is left out is not limited. */
export interface CallerLimits {
  readonly requestsPerMinute?: number | undefined;
  readonly tokensPerMinute?: number | undefined;
  readonly concurrentRequests?: number | undefined;
}
