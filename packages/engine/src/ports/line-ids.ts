/** What a log line is about: the request of a client, the operation, or both. An undefined one is not known. */
export interface LineIds {
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
}
