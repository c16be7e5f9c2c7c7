import type { Kit, KitAsk, More } from '../kit/kit.ts';
import type { RuleId } from '../rules/rules.ts';

/** Each body is refused on the chat route. */
export const chatsRefused = async (
  kit: Kit,
  rule: RuleId,
  code: string,
  bodies: readonly (object | string)[],
): Promise<void> => {
  for (const body of bodies) kit.refused(rule, await kit.chat(body), 422, code);
};

/** Each body is taken on the chat route. */
export const chatsTaken = async (kit: Kit, rule: RuleId, bodies: readonly (object | string)[]): Promise<void> => {
  for (const body of bodies) {
    const { status, text } = await kit.chat(body);
    kit.same(rule, status, 200, 'the status of a body of the contract');
    kit.holds(rule, text.includes('"choices"'), 'the response has no choices');
  }
};

/** Each request is refused with the status. */
export const allRefused = async (
  kit: Kit,
  rule: RuleId,
  wanted: readonly [status: number, code?: string],
  asks: readonly KitAsk[],
): Promise<void> => {
  for (const ask of asks) kit.refused(rule, await kit.send(ask), ...wanted);
};

/** The generate route of a role's model. */
export const generatePath = (kit: Kit, stream = false, role: 'chat' | 'image' | 'speech' = 'chat'): string =>
  `/models/${kit.model(role)}:${stream ? 'streamGenerateContent' : 'generateContent'}`;

export const generate = (kit: Kit, body: unknown, more: More = {}) =>
  kit.send({ ...more, path: generatePath(kit), body });
