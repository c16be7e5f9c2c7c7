/** One request that a service was sent. */
export interface ServiceRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
  readonly body: string;
}

export interface FakeService {
  readonly fetch: typeof fetch;
  readonly requests: readonly ServiceRequest[];
}

/** Stands for a service of the host's choice: returns what a test says, and notes what it was asked. */
export const fakeService = (answer: (request: ServiceRequest) => Response | Promise<Response>): FakeService => {
  const requests: ServiceRequest[] = [];
  return {
    requests,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      init?.signal?.throwIfAborted();
      const seen = {
        method: request.method,
        url: new URL(request.url),
        headers: request.headers,
        body: await request.text(),
      };
      requests.push(seen);
      const { promise, reject } = Promise.withResolvers<never>();
      init?.signal?.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
      return Promise.race([answer(seen), promise]);
    },
  };
};
