import type { ErrorCode } from '@tollgate/contract';
import type { AccessIds } from '@tollgate/engine';

/** A charged request that was authenticated and read, before anything is reserved for it. */
export interface RequestQuestion extends Pick<AccessIds, 'accountId' | 'projectId' | 'keyId'> {
  /** The id that the operation gets where it is opened. */
  readonly requestId: string;
  /** The id of the route of the contract that is asked, whichever wire the client speaks. */
  readonly route: string;
  /** The catalog id of the model that is going to run. */
  readonly model: string;
  /**
   * A copy of the JSON body as the client sent it, made when it is read: changing it changes nothing. A long medium, and a file of a
   * form, is `{ omitted, sizeBytes }`.
   */
  readonly body: unknown;
  /** A header of the request by its lowercase name; null where it is not there, and for a scheduled run. */
  readonly header: (name: string) => string | null;
  /** Ends when `timeoutMs` is over. */
  readonly signal: AbortSignal;
}

/** The codes that a hook may refuse with. Each has its own status. */
export const refusalCodes = [
  'request_refused',
  'access_blocked',
  'ai_insufficient_credits',
  'ai_contract_inactive',
  'not_found',
  'invalid_request',
  'unsupported_content',
  'unsupported_parameter',
  'input_limit',
  'model_incompatible',
  'rate_limited',
  'quota_exceeded',
  'service_unavailable',
] as const satisfies readonly ErrorCode[];

export type RefusalCode = (typeof refusalCodes)[number];

/** What a hook decided: nothing lets the request go on. */
export type RequestDecision =
  | {
      readonly refuse: {
        /** By default `request_refused`, with status 403. */
        readonly code?: RefusalCode | undefined;
        /** The message that the client receives, at most 1,000 characters of it. */
        readonly message?: string | undefined;
        /** When the client may try again, with `rate_limited` and `service_unavailable`. */
        readonly retryAfterMs?: number | undefined;
      };
    }
  | {
      /** The catalog id of the model that runs in place of the one that was asked: its prices and its provider count. */
      readonly model?: string | undefined;
      /** Kept with the operation: at most 16 tags, names of at most 64 characters, texts of at most 256. */
      readonly tags?: Readonly<Record<string, string>> | undefined;
    };

/** Asked about each charged request before anything is reserved. */
export type OnRequest = (
  question: RequestQuestion,
) => RequestDecision | undefined | void | Promise<RequestDecision | undefined | void>;

/** A request whose hook fails is refused as unavailable, or goes on as it was asked. */
export type HookFailurePolicy = 'refuse' | 'pass';

/** The hook of a gateway, how long it may take, and what becomes of a request whose hook fails. */
export interface RequestHook {
  readonly onRequest: OnRequest;
  readonly timeoutMs: number;
  readonly onFailure: HookFailurePolicy;
}
