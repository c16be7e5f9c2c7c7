import { isRecord } from '@tollgate/contract';
import { isAskedWait } from '@tollgate/engine';
import { refusalCodes, type RefusalCode } from './on-request.ts';
import { unknownMember } from './unknown-member.ts';

/** What a hook is taken to have said. */
export type RequestVerdict =
  | { readonly kind: 'go'; readonly model: string | null; readonly tags: Readonly<Record<string, string>> | null }
  | {
      readonly kind: 'refuse';
      readonly code: RefusalCode;
      readonly message: string | null;
      readonly retryAfterMs: number | null;
    }
  /** It said what is no decision; `fault` names the member. */
  | { readonly kind: 'nonsense'; readonly fault: string };

const tagsMax = 16;
const tagNameCharsMax = 64;
const tagTextCharsMax = 256;
const messageCharsMax = 1_000;

const nonsense = (fault: string): RequestVerdict => ({ kind: 'nonsense', fault });

const isRefusalCode = (value: unknown): value is RefusalCode => refusalCodes.some((code) => code === value);

/** Control characters have no place in an answer, and none in a log line. */
// eslint-disable-next-line no-control-regex
const controls = /[\u0000-\u001f\u007f]+/g;

const toRefusal = (refuse: unknown): RequestVerdict => {
  if (!isRecord(refuse)) return nonsense('refuse is not an object');
  const { code = 'request_refused', message, retryAfterMs } = refuse;
  const other = unknownMember(refuse, ['code', 'message', 'retryAfterMs']);
  if (other !== undefined) return nonsense(`refuse has the unknown member ${other}`);
  if (!isRefusalCode(code)) return nonsense(`refuse.code is not one of ${refusalCodes.join(', ')}`);
  if (message !== undefined && typeof message !== 'string') return nonsense('refuse.message is not a text');
  if (retryAfterMs !== undefined && !isAskedWait(retryAfterMs)) return nonsense('refuse.retryAfterMs is no time');
  const told = message?.slice(0, messageCharsMax).replaceAll(controls, ' ') ?? '';
  return { kind: 'refuse', code, message: told === '' ? null : told, retryAfterMs: retryAfterMs ?? null };
};

const tagFault = ([name, text]: readonly [string, unknown]): string | null => {
  if (name === '' || name.length > tagNameCharsMax) return `a name of tags has not 1 to ${tagNameCharsMax} characters`;
  if (typeof text !== 'string' || text.length > tagTextCharsMax)
    return `tags.${name} is not a text of at most ${tagTextCharsMax} characters`;
  return null;
};

const tagsFault = (tags: unknown): string | null => {
  if (!isRecord(tags)) return 'tags is not an object';
  const entries = Object.entries(tags);
  if (entries.length > tagsMax) return `tags has more than ${tagsMax} members`;
  return entries.map(tagFault).find((fault) => fault !== null) ?? null;
};

const toTags = (tags: unknown): Readonly<Record<string, string>> | null => {
  const texts = Object.entries(isRecord(tags) ? tags : {}).map(([name, text]) => [name, String(text)] as const);
  return texts.length === 0 ? null : Object.fromEntries(texts);
};

/** Reads the answer of a host's hook. Anything that is no decision counts as a failure of the hook, never as a yes. */
export const toRequestVerdict = (answer: unknown): RequestVerdict => {
  if (answer === undefined || answer === null) return { kind: 'go', model: null, tags: null };
  if (!isRecord(answer)) return nonsense('the decision is not an object');
  const { refuse, model, tags } = answer;
  const other = unknownMember(answer, ['refuse', 'model', 'tags']);
  if (other !== undefined) return nonsense(`the decision has the unknown member ${other}`);
  if (refuse !== undefined) {
    return model === undefined && tags === undefined
      ? toRefusal(refuse)
      : nonsense('the decision has refuse beside another member');
  }
  if (model !== undefined && typeof model !== 'string') return nonsense('model is not a text');
  const fault = tags === undefined ? null : tagsFault(tags);
  return fault === null ? { kind: 'go', model: model ?? null, tags: toTags(tags) } : nonsense(fault);
};
