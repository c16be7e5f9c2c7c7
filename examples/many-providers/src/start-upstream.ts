import { createServer, type ServerResponse } from 'node:http';

/** What an upstream does with its requests by default. */
export type Behaviour = 'answer' | 'busy' | 'cut';

export interface Upstream {
  /** What a provider takes as its base address. */
  readonly baseUrl: string;
  /** Requests so far. */
  readonly count: () => number;
  readonly behave: (behaviour: Behaviour) => void;
  /** Stops listening at once, as a machine does that dies. */
  readonly die: () => Promise<void>;
}

/** An upstream on a free port that speaks chat completions and says its own name. */
export const startUpstream = async (name: string): Promise<Upstream> => {
  let behaviour: Behaviour = 'answer';
  let count = 0;
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count += 1;
      answer(name, behaviour, response);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    count: () => count,
    behave: (next) => {
      behaviour = next;
    },
    die: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};

const answer = (name: string, behaviour: Behaviour, response: ServerResponse): void => {
  switch (behaviour) {
    case 'answer':
      write(response, 200, {
        choices: [{ message: { role: 'assistant', content: `This is ${name}.` }, finish_reason: 'stop' }],
        usage: { prompt_tokens: 1_000, completion_tokens: 100, total_tokens: 1_100 },
      });
      break;
    case 'busy':
      write(response, 429, { error: { message: 'too many requests' } });
      break;
    case 'cut':
      response.destroy();
      break;
  }
};

const write = (response: ServerResponse, status: number, body: object): void => {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
};
