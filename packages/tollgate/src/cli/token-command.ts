import { creditsFromMicros, microsFromCredits, tokenBounds, type Administration } from '@tollgate/engine';
import {
  exitCodes,
  printJson,
  requireOption,
  textOption,
  UsageError,
  type AdminCommand,
  type CommandInput,
} from './command.ts';
import { idAfter } from './list-pages.ts';
import { cells, printFound, runActions, timeText } from './run-actions.ts';

type TokenInput = Parameters<Administration['createToken']>[0];
type TokenInfo = NonNullable<Awaited<ReturnType<Administration['readToken']>>>;

const listIn = (input: CommandInput, name: string): readonly string[] | null => {
  const text = textOption(input, name);
  if (text === undefined) return null;
  const entries = text.split(',').filter((entry) => entry !== '');
  if (entries.length === 0) throw new UsageError(`--${name} names none; accepted is a list with commas between`);
  return entries;
};

const budgetOf = (input: CommandInput): bigint | null => {
  const text = textOption(input, 'budget');
  if (text === undefined) return null;
  try {
    return microsFromCredits(text);
  } catch {
    throw new UsageError(`--budget has ${text}, and takes an amount of credits with at most six decimals`);
  }
};

const ttlOf = (input: CommandInput): number | undefined => {
  const text = textOption(input, 'ttl');
  if (text === undefined) return undefined;
  const seconds = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (seconds < 1 || seconds > tokenBounds.secondsMax)
    throw new UsageError(`--ttl has ${text}, and takes a whole number of seconds from 1 to ${tokenBounds.secondsMax}`);
  return seconds;
};

const tokenOf = (input: CommandInput): TokenInput => ({
  keyId: requireOption(input, 'key'),
  origins: listIn(input, 'origins'),
  models: listIn(input, 'models'),
  budgetMicros: budgetOf(input),
  ttlSeconds: ttlOf(input),
});

const createToken: AdminCommand = async (admin, input) => {
  const created = await admin.createToken(tokenOf(input));
  if (created === null) {
    input.world.complain('there is no such key, or it may not be used now');
    return exitCodes.refused;
  }
  if (input.options['json'] === true) printJson(input.world, created);
  else {
    input.world.print(`token    ${created.token}`);
    input.world.print(`token id ${created.id}`);
    input.world.print(`expires  ${timeText(created.expiresAtMs)}`);
    input.world.print('The token is shown this once.');
  }
  return exitCodes.done;
};

const lineOf = ({ id, keyId, origins, models, budgetMicros, expiresAtMs, revokedAtMs }: TokenInfo): string =>
  cells(
    id,
    revokedAtMs === null ? `expires ${timeText(expiresAtMs)}` : `revoked ${timeText(revokedAtMs)}`,
    `key ${keyId}`,
    origins === null ? 'all origins' : origins.join(','),
    models === null ? 'all models' : models.join(','),
    budgetMicros === null ? 'no budget' : `budget ${creditsFromMicros(budgetMicros)}`,
  );

const missing = 'there is no such token';

const showToken: AdminCommand = async (admin, input) =>
  printFound(input, await admin.readToken(idAfter(input, 'token', 'token')), { lineOf, missing });

const revokeToken: AdminCommand = async (admin, input) =>
  printFound(input, await admin.revokeToken(idAfter(input, 'token', 'token')), { lineOf, missing });

const actions = { create: createToken, show: showToken, revoke: revokeToken } as const;

/** Tokens for pages: made of a key, shown without their text, revoked. */
export const tokenCommand: AdminCommand = (admin, input) => {
  if (input.words.length === 0) throw new UsageError('token takes an action; accepted are create, show and revoke');
  return runActions(actions)(admin, input);
};
