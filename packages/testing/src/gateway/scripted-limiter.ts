import assert from 'node:assert/strict';
import type { LimitQuestion, LimitVerdict, UsageLimiter } from '@tollgate/engine';

import type { GatewayWorld } from './gateway-world.ts';

/** What a limiter was asked and told by the gateway of one case. */
export interface LimiterNotes {
  readonly questions: readonly LimitQuestion[];
  /** The tokens of each ticket that was released, in order. */
  readonly released: readonly (number | null)[];
}

/** A limiter whose verdicts a case scripts, for the callers of any number of gateways. */
export interface ScriptedLimiter extends UsageLimiter {
  /** Of the questions for one key. */
  readonly notesOf: (keyId: string) => LimiterNotes;
}

type Refusal = Exclude<LimitVerdict, { readonly kind: 'admitted' }>;

interface Script {
  /** Null admits; the number is how many questions for the key came before. */
  readonly refuse?: (question: LimitQuestion, before: number) => Refusal | null;
  readonly reports?: LimitVerdict['reports'];
  /** Verdicts wait for it. */
  readonly until?: () => Promise<unknown>;
}

export const scriptedLimiter = ({ refuse = () => null, reports = [], until }: Script = {}): ScriptedLimiter => {
  const notes = new Map<string, { readonly questions: LimitQuestion[]; readonly released: (number | null)[] }>();
  const notesOf = (keyId: string) => {
    const known = notes.get(keyId) ?? { questions: [], released: [] };
    notes.set(keyId, known);
    return known;
  };
  const decide = (question: LimitQuestion): LimitVerdict => {
    const { questions, released } = notesOf(question.caller.keyId);
    const refusal = refuse(question, questions.length);
    questions.push(question);
    return refusal ?? { kind: 'admitted', ticket: { release: ({ tokens }) => void released.push(tokens) }, reports };
  };
  return {
    notesOf,
    reserve: (question) => {
      const verdict = decide(question);
      return until === undefined ? verdict : until().then(() => verdict);
    },
  };
};

/** A refused request left nothing behind. */
export const nothingRegistered = async (world: GatewayWorld): Promise<void> => {
  assert.equal(world.provider.calls.length, 0);
  assert.deepEqual(await world.admin.listOperations({ kind: 'project', projectId: world.projectId }), []);
};
