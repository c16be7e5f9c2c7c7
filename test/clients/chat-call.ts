import { boundModel, type RunningGateway } from './running-gateway.ts';

/** An answer read whole. */
export interface Answered {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** Posts a chat body exactly as given. */
export const postChat = async (
  running: RunningGateway,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Answered> => {
  const answer = await fetch(`${running.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${running.key}`, 'content-type': 'application/json', ...headers },
    body,
  });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

/** A chat body with one user message and whatever else is given. */
export const chatBody = (content: unknown, rest: object = {}): string =>
  JSON.stringify({ model: boundModel, messages: [{ role: 'user', content }], ...rest });

export const getPath = async (running: RunningGateway, path: string): Promise<Answered> => {
  const answer = await fetch(`${running.baseUrl}${path}`, { headers: { authorization: `Bearer ${running.key}` } });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
};

interface ErrorAnswer {
  readonly error: { readonly code: string; readonly message: string; readonly request_id?: string };
}

/** The error member of an answer in the object form. */
export const errorIn = (answered: Answered): ErrorAnswer['error'] => (JSON.parse(answered.text) as ErrorAnswer).error;

interface Completion {
  readonly id: string;
  readonly choices: readonly [
    {
      readonly message: {
        readonly content: string | null;
        readonly tool_calls?: readonly {
          readonly id: string;
          readonly function: { readonly name: string; readonly arguments: string };
        }[];
        readonly context?: string;
      };
      readonly finish_reason: string;
    },
  ];
}

/** The first choice of a unary answer. */
export const choiceIn = (answered: Answered): Completion['choices'][0] =>
  (JSON.parse(answered.text) as Completion).choices[0];

/** The data of every event of a stream, in order. */
export const eventsIn = (answered: Answered): readonly string[] =>
  answered.text
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => block.replace(/^data: /, ''));
