import { randomUUID } from 'node:crypto';
import type { Sender } from '../wire/create-sender.ts';
import type { Answer } from '../wire/exchange.ts';
import { openSocket } from '../wire/open-socket.ts';
import type { ConformanceCase } from './conformance-case.ts';
import { createChecks } from './create-checks.ts';
import { CaseStopped, type Findings } from './findings.ts';
import type { Kit } from './kit.ts';
import type { ConformanceOptions } from './kit-options.ts';
import type { Role } from './need.ts';
import { isAbsence, sendWithinLimit } from './send-within-limit.ts';
import type { Actor, Survey } from './survey.ts';

export interface KitWorld {
  readonly survey: Survey;
  readonly sender: Sender;
  readonly findings: Findings;
  readonly options: ConformanceOptions;
  /** Sees every response. */
  readonly watch: (answer: Answer) => void;
}

/** How long `until` asks. */
const settleMs = 30_000;
const pollMs = 100;

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const present = <T>(value: T | undefined, what: string): T => {
  if (value === undefined) throw new CaseStopped(`there is no ${what}`);
  return value;
};

const actorOf = ({ actors }: Survey, role: Role): Actor => present(actors.get(role), `key of the role ${role}`);

const greeting = { messages: [{ role: 'user', content: 'Hello' }] };

/** Sends by the key of a role; every response is seen, and further failures are about the last one. */
const createSending = (
  world: KitWorld,
  about: Kit['about'],
  signal: AbortSignal,
): Pick<Kit, 'open' | 'send' | 'until'> => {
  const open: Kit['open'] = async ({ by = 'chat', key, wants503, ...ask }) => {
    const answer = await world.sender.open({
      ...ask,
      key: key === undefined ? actorOf(world.survey, by).key : key,
      signal: ask.signal === undefined ? signal : AbortSignal.any([ask.signal, signal]),
    });
    const rest = async (): Promise<Answer> => {
      const read = await answer.rest();
      if (!isAbsence(read, { ...ask, wants503 })) world.watch(read);
      about(read);
      return read;
    };
    return { ...answer, rest };
  };
  const send: Kit['send'] = (ask) => {
    const answer = sendWithinLimit(ask, async (each) => (await open(each)).rest());
    // A case that has ended no longer waits for what it sent.
    answer.catch(() => null);
    return answer;
  };
  const until: Kit['until'] = async (ask, holds) => {
    const endMs = Date.now() + settleMs;
    let answer = await send(ask);
    while (!holds(answer) && Date.now() < endMs) {
      await sleep(pollMs);
      answer = await send(ask);
    }
    return answer;
  };
  return { open, send, until };
};

export const createKit = (one: ConformanceCase, world: KitWorld, signal: AbortSignal): Kit => {
  const { survey, findings, options } = world;
  const checks = createChecks(one, findings);
  const sending = createSending(world, checks.about, signal);
  const body: Kit['body'] = (role, fields) => {
    const { isBound, model } = actorOf(survey, role);
    return isBound ? fields : { model, ...fields };
  };
  return {
    ...checks,
    ...sending,
    base: survey.base,
    brand: survey.brand,
    projectId: survey.projectId,
    rule: present(one.rules[0], 'rule of the case'),
    body,
    sleep,
    socket: (url) => openSocket(url, signal),
    key: (role) => actorOf(survey, role).key,
    model: (role) => actorOf(survey, role).model,
    chat: (given = greeting, more = {}) => {
      const asked = typeof given === 'string' ? given : body(more.by ?? 'chat', given);
      return sending.send({ ...more, path: '/chat/completions', body: asked });
    },
    fresh: (word) => `${word}-${randomUUID()}`,
    get upstream() {
      return present(options.upstream, 'upstream of the kit');
    },
    get receiver() {
      return present(options.receiver, 'receiver of the kit');
    },
  };
};
