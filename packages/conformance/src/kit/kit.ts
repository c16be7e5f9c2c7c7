import type { Receiver } from '../receiver/start-receiver.ts';
import type { RuleId } from '../rules/rules.ts';
import type { Upstream } from '../upstream/scripted-upstream.ts';
import type { Answer, Ask, OpenAnswer } from '../wire/exchange.ts';
import type { Json } from '../wire/json.ts';
import type { KitSocket } from '../wire/open-socket.ts';
import type { Role } from './need.ts';

/** A request of a case: by the chat key, unless it says otherwise. */
export interface KitAsk extends Omit<Ask, 'key'> {
  readonly by?: Role | undefined;
  /** Sent instead of the key of a role; null sends none. */
  readonly key?: string | null;
  /** The case asks for a 503; else one with Retry-After is a gateway that is not there for a moment. */
  readonly wants503?: boolean | undefined;
}

export type More = Omit<KitAsk, 'path' | 'body'>;

/** What a case works with. A check that fails is noted, and the case goes on; `taken` and `need` end it. */
export interface Kit {
  readonly base: string;
  readonly brand: string;
  readonly projectId: string | null;
  /** The first rule of the case, which stands for what its steps need. */
  readonly rule: RuleId;
  readonly send: (ask: KitAsk) => Promise<Answer>;
  readonly open: (ask: KitAsk) => Promise<OpenAnswer>;
  readonly socket: (url: string) => Promise<KitSocket>;
  /** The key of a role. */
  readonly key: (role: Role) => string;
  /** The model of a role. */
  readonly model: (role: Role) => string;
  /** A body that names the model, where the key of the role is bound to none. */
  readonly body: (role: Role, body: object) => object;
  /** A chat by the chat key; the default body is a greeting. */
  readonly chat: (body?: object | string, more?: More) => Promise<Answer>;
  /** A text that no other request of this or another run has. */
  readonly fresh: (word: string) => string;
  /** Asks again until the response says so, at most for half a minute; the last response. */
  readonly until: (ask: KitAsk, holds: (answer: Answer) => boolean) => Promise<Answer>;
  readonly sleep: (ms: number) => Promise<void>;
  readonly upstream: Upstream;
  readonly receiver: Receiver;

  /** What further failures are about; by default the last response. */
  readonly about: (answer: Answer) => void;
  readonly holds: (rule: RuleId, ok: boolean, what: string) => boolean;
  /** Both are the same, and there is something to compare with. */
  readonly same: (rule: RuleId, found: unknown, wanted: unknown, what: string) => boolean;
  /** There is no such thing. */
  readonly absent: (rule: RuleId, found: unknown, what: string) => boolean;
  /** The fields of an object have these values. */
  readonly fields: (rule: RuleId, object: Json, wanted: Readonly<Record<string, unknown>>) => boolean;
  /** An error of this status and code, in object form. */
  readonly refused: (rule: RuleId, answer: Answer, status: number, code?: string) => boolean;
  /** A response of 200 as JSON; the case ends where it is another. */
  readonly taken: (rule: RuleId, answer: Answer, status?: number) => Json;
  /** Ends the case where something is not there that it goes on with. */
  readonly need: (rule: RuleId, ok: boolean, what: string) => void;
}
