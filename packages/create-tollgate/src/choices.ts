/** What a project is made of. The first value of each is the default. */
export const choiceValues = {
  host: ['node', 'hono', 'express', 'fastify', 'next'],
  storage: ['sqlite', 'postgres', 'memory'],
  provider: ['sandbox', 'openai-compatible', 'anthropic', 'google', 'routed'],
  payments: ['none', 'stripe'],
} as const;

export type ChoiceName = keyof typeof choiceValues;
export type Choices = { readonly [Name in ChoiceName]: (typeof choiceValues)[Name][number] };

export const choiceNames = ['host', 'storage', 'provider', 'payments'] as const satisfies readonly ChoiceName[];

export const defaultChoices: Choices = {
  host: choiceValues.host[0],
  storage: choiceValues.storage[0],
  provider: choiceValues.provider[0],
  payments: choiceValues.payments[0],
};

/** What each value is, as the questions explain it. */
export const meanings: { readonly [Name in ChoiceName]: Readonly<Record<Choices[Name], string>> } = {
  host: {
    node: 'the gateway alone, on node:http',
    hono: 'beside routes of Hono',
    express: 'beside routes of Express',
    fastify: 'beside routes of Fastify',
    next: 'in route handlers of Next.js',
  },
  storage: {
    sqlite: 'one file, for one machine',
    postgres: 'a database, for any number of processes',
    memory: 'lost when the process ends, for trying out',
  },
  provider: {
    sandbox: 'an offline model, without a network and a key',
    'openai-compatible': 'OpenAI, or a server that speaks its chat completions',
    anthropic: 'the Anthropic API',
    google: 'the Gemini API',
    routed: 'an OpenAI-compatible server, and the Anthropic API as its reserve',
  },
  payments: {
    none: 'credits are deposited by you',
    stripe: 'customers buy credits by Stripe',
  },
};

/** Why the parts that were chosen do not fit together; null where they do. */
export const conflictOf = ({ host, storage, payments }: Choices): string | null => {
  if (storage !== 'memory') return null;
  if (host === 'next')
    return '--storage memory does not fit --host next: commands and the server are separate processes, which memory does not connect; accepted are sqlite and postgres';
  if (payments === 'stripe')
    return '--storage memory does not fit --payments stripe: credits that were paid for would be lost; accepted are sqlite and postgres';
  return null;
};
