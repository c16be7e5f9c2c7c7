/** What an operation cost, as the gateway puts it on every answer beside what the client library knows. */
export interface Receipt {
  readonly requestId: string;
  readonly credits: number;
}

/** The receipt of an answer or of a stream's last chunk; null where it carries none. */
export const readReceipt = (answer: object): Receipt | null => {
  const service: unknown = 'service' in answer ? answer.service : null;
  if (typeof service !== 'object' || service === null) return null;
  if (!('request_id' in service) || typeof service.request_id !== 'string') return null;
  if (!('credits' in service) || typeof service.credits !== 'number') return null;
  return { requestId: service.request_id, credits: service.credits };
};
