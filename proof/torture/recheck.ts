import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { sendChat } from './client.ts';
import { noteAnswer, type Acknowledged, type Facts } from './ledger-of-facts.ts';
import type { Victims } from './victims.ts';

/** Asked for again after each kill. */
const lastMax = 8;
const askAgainMs = 20;
const giveUpMs = 20_000;

/** The answers that were acknowledged last: taken just before a kill, the ones that it endangers most. */
export const lastAcknowledged = ({ acknowledged }: Facts): readonly Acknowledged[] =>
  [...acknowledged.values()].slice(-lastMax);

/** Asks until a living process replays the responses; other bytes are a violation, and so is none in time. */
export const recheck = async (
  last: readonly Acknowledged[],
  victims: Pick<Victims, 'origin'>,
  facts: Facts,
): Promise<void> => {
  const agent = new Agent({ keepAlive: true });
  const untilTold = async ({ request }: Acknowledged): Promise<void> => {
    const endMs = performance.now() + giveUpMs;
    while (performance.now() < endMs) {
      const origin = victims.origin();
      const answer = origin === null ? null : await sendChat(agent, origin, request);
      if (origin !== null) noteAnswer(facts, request, answer);
      if (answer?.status === 200) return;
      await delay(askAgainMs);
    }
    facts.violations.push(`${request.identity}: acknowledged before a kill, and not told after it`);
  };
  await Promise.all(last.map(untilTold));
  agent.destroy();
};
