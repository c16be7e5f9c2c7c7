import assert from 'node:assert/strict';
import { requestIdOf, type Answer } from './answer.ts';
import { anyAnswer } from './any-answer.ts';
import type { CallerQuestionOfHost } from './gateway-under-test.ts';
import { greeting, type Ask, type GatewayWorld } from './gateway-world.ts';
import { suiteModel } from './suite-tariff.ts';

export type Recognise = (question: CallerQuestionOfHost) => unknown;

const none: Recognise = () => null;

/** A host that notes what it is asked, and recognises whom a case has it recognise. */
export const scriptedHost = () => {
  const questions: CallerQuestionOfHost[] = [];
  let recognise = none;
  return {
    authenticate: (question: CallerQuestionOfHost) => {
      questions.push(question);
      return anyAnswer(recognise(question));
    },
    restart: (next: Recognise): void => {
      recognise = next;
      questions.splice(0);
    },
    asked: (): readonly CallerQuestionOfHost[] => questions.splice(0),
  };
};

export const alice = { cookie: 'session=alice' };

/** What a browser with a session of the host sends. */
export const signedIn = (ask: Ask): Ask => ({ ...ask, key: null, headers: { ...ask.headers, ...alice } });

export const signedInChat = { path: '/chat/completions', body: { ...greeting, model: suiteModel } };

/** Recognises the session of Alice as a caller of the case's own project. */
export const aliceOf =
  ({ projectId, accountId }: GatewayWorld, more: Readonly<Record<string, unknown>> = {}): Recognise =>
  ({ headers }) =>
    headers.get('cookie') === alice.cookie ? { projectId, accountId, ...more } : null;

export const operationOf = async (world: GatewayWorld, answer: Answer) =>
  (await world.admin.readOperation(requestIdOf(answer))) ?? assert.fail('the operation is missing');
