/** What a log line is about: the request of a client, the operation, or both; or a delivery. An undefined one is not known. */
export interface LineIds {
  readonly requestId?: string | undefined;
  readonly operationId?: string | undefined;
  readonly deliveryId?: string | undefined;
}
