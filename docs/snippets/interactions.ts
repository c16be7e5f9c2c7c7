/** The address of a gateway, and a key for it. */
interface Target {
  readonly baseUrl: string;
  readonly key: string;
  readonly fetch: (request: Request) => Promise<Response>;
}

interface Step {
  readonly type: string;
  readonly id?: string;
  readonly name?: string;
  readonly arguments?: Readonly<Record<string, unknown>>;
  readonly content?: readonly { readonly type: string; readonly text?: string }[];
}

interface Interaction {
  readonly id: string;
  readonly status: string;
  readonly error_code: string | null;
  readonly result: { readonly steps: readonly Step[]; readonly status?: string } | null;
}

const send = async (target: Target, path: string, body?: unknown): Promise<Interaction> => {
  const request = new Request(`${target.baseUrl}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${target.key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const response = await target.fetch(request);
  if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
  // The gateway's response has the documented form.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return (await response.json()) as Interaction;
};

// #region interact
const running = new Set(['preparing', 'reserved', 'processing', 'cancelling', 'settling']);

/** Starts an interaction and waits until it has ended, or waits for a function. */
const interact = async (target: Target, body: unknown): Promise<Interaction> => {
  let interaction = await send(target, '/interactions', body);
  while (running.has(interaction.status)) {
    await new Promise((resolve) => setTimeout(resolve, 500));
    interaction = await send(target, `/interactions/${interaction.id}`);
  }
  return interaction;
};
// #endregion interact

// #region functions
type Functions = Readonly<Record<string, (args: Readonly<Record<string, unknown>>) => unknown>>;

/** Lets the model call functions until it calls no more, each time in an interaction that continues the last. */
export const interactWithFunctions = async (
  target: Target,
  input: string,
  functions: Functions,
): Promise<Interaction> => {
  const tools = Object.keys(functions).map((name) => ({ type: 'function', name }));
  let interaction = await interact(target, { input, tools });
  while (interaction.status === 'requires_action') {
    const calls = interaction.result?.steps.filter(({ type }) => type === 'function_call') ?? [];
    const results = calls.map(({ id, name = '', arguments: args = {} }) => ({
      type: 'function_result',
      call_id: id,
      result: { value: functions[name]?.(args) },
    }));
    // Tools are not inherited: a continuation names its tools again.
    interaction = await interact(target, { previous_interaction_id: interaction.id, input: results, tools });
  }
  return interaction;
};

/** The final text of the model. */
export const textOf = ({ result }: Interaction): string =>
  (result?.steps ?? []).flatMap(({ content = [] }) => content.map(({ text = '' }) => text)).join('');
// #endregion functions
