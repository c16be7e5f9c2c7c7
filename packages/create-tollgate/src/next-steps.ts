import type { Choices } from './choices.ts';

/** The package manager that ran the command, by what it says of itself in `npm_config_user_agent`. */
export const packageManagerOf = (userAgent: string | undefined): string =>
  /^(npm|pnpm|yarn|bun)\//u.exec(userAgent ?? '')?.[1] ?? 'npm';

const keysOf: Readonly<Record<Choices['provider'], readonly string[]>> = {
  sandbox: [],
  'openai-compatible': ['OPENAI_API_KEY'],
  anthropic: ['ANTHROPIC_API_KEY'],
  google: ['GEMINI_API_KEY'],
  routed: ['OPENAI_API_KEY', 'ANTHROPIC_API_KEY'],
};

/** A script of the project with arguments: npm takes them only behind `--`. */
const scriptWith = (manager: string, script: string, words: string): string =>
  `${manager} run ${script} ${manager === 'npm' ? '-- ' : ''}${words}`;

/** What to type next, a command a line. */
export const nextSteps = (directory: string, choices: Choices, manager: string): readonly string[] => {
  const { host, storage, provider, payments } = choices;
  const empty = [...keysOf[provider], ...(payments === 'stripe' ? ['STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'] : [])];
  return [
    `cd ${directory}`,
    `${manager} install`,
    ...(storage === 'postgres' ? ['docker compose up -d --wait db'] : []),
    ...(empty.length > 0 ? [`# set ${empty.join(', ')} in .env`] : []),
    ...(host === 'next' ? [`${manager} run build`] : []),
    ...(manager === 'bun' ? ['bun run test'] : [`${manager} test`]),
    ...(storage === 'memory' ? [] : [scriptWith(manager, 'open-account', 'Ada 10')]),
    `${manager} ${manager === 'bun' ? 'run ' : ''}start`,
    '# README.md has a first chat, and how to see what it cost',
    ...(storage === 'memory' ? [] : [scriptWith(manager, 'tollgate', 'balance ACCOUNT')]),
  ];
};
