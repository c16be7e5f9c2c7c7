import { Agent } from 'node:http';
import type { Gateway } from 'tollgate';
import type { TortureAccount } from './accounts.ts';
import { readRequest, sendChat } from './client.ts';
import type { Acknowledged, Facts } from './ledger-of-facts.ts';
import { pageRows } from './read-operations.ts';

/** Replays asked for at once. */
const batchConnections = 16;

/** The fields of a completion and of a request's record that are compared. */
interface Told {
  readonly service?: { readonly credits?: number };
}
interface Recorded {
  readonly status?: string;
  readonly charged_credits?: number;
  readonly response?: unknown;
}

/** One of the gateway's own answers; a field that is missing makes the comparison fail. */
const parse = (text: string): Told & Recorded =>
  // Every field is optional, and each is compared before it is believed.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  JSON.parse(text) as Told & Recorded;

const lostAnswer = async (
  agent: Agent,
  origin: string,
  { request, body, requestId }: Acknowledged,
): Promise<readonly string[]> => {
  const { identity } = request;
  const again = await sendChat(agent, origin, request);
  if (again?.status !== 200 || !again.replayed || again.body !== body)
    return [`${identity}: the replay answers ${again?.status} ${again?.body}, acknowledged was ${body}`];
  const record = await readRequest(agent, origin, request.key, requestId);
  const told = parse(body);
  const stored = parse(record?.body ?? '{}');
  const sameCredits = stored.charged_credits !== undefined && stored.charged_credits === told.service?.credits;
  const agrees = stored.status === 'completed' && sameCredits && JSON.stringify(stored.response) === body;
  return agrees ? [] : [`${identity}: its record says ${record?.body}, acknowledged was ${body}`];
};

/** Every acknowledged answer must be reported again in the same bytes, and its record must be completed with the same credits. */
export const findLostAnswers = async (origin: string, facts: Facts): Promise<readonly string[]> => {
  const agent = new Agent({ keepAlive: true });
  const lost: string[] = [];
  const waiting = facts.acknowledged.values();
  // The loops share one iterator, so each answer is asked for by the next free one.
  const lane = async (): Promise<void> => {
    for (const each of waiting) lost.push(...(await lostAnswer(agent, origin, each)));
  };
  await Promise.all(Array.from({ length: batchConnections }, lane));
  agent.destroy();
  return lost;
};

const readDeposits = async (gateway: Gateway, accountId: string): Promise<ReadonlyMap<string, bigint>> => {
  const availability = new Map<string, bigint>();
  let before: number | undefined;
  for (;;) {
    const page = await gateway.admin.readStatement(accountId, before);
    for (const { reference, amountMicros } of page) if (reference !== null) availability.set(reference, amountMicros);
    before = page.at(-1)?.seq;
    if (page.length < pageRows) return availability;
  }
};

/** Every acknowledged deposit must stand in its account's statement. */
export const findLostDeposits = async (
  gateway: Gateway,
  accounts: readonly TortureAccount[],
  facts: Facts,
): Promise<readonly string[]> => {
  const lost: string[] = [];
  for (const account of accounts) {
    const availability = await readDeposits(gateway, account.accountId);
    for (const [reference, { accountId, amountMicros }] of facts.deposits)
      if (accountId === account.accountId && availability.get(reference) !== amountMicros)
        lost.push(`deposit ${reference} of ${amountMicros} is lost`);
  }
  return lost;
};
