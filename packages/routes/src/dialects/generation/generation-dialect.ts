import type { CatalogModel, GatewayError, InteractionTool } from '@tollgate/contract';
import type { RoundWish } from '@tollgate/engine';
import type { BlobPart, GenerationCall, WebSearchTool } from '@tollgate/provider';
import type { OperationRecord } from '@tollgate/storage';
import type { CallStep } from '../../call-order.ts';
import type { FieldNames } from '../../field-names.ts';
import type { FormFields } from '../../multipart/form-fields.ts';
import type { AnswerPart, KeptAnswer } from './kept-answer.ts';

/** What a reader of bodies is given beside the body. */
export interface ReadingPolicy {
  /** Entries of one conversation at the most. */
  readonly messagesMax: number;
  /** The state of an upstream that the service sealed for this project, or null for a text that it did not seal. */
  readonly unseal: (sealed: string) => string | null;
  /** Entries of the conversation that come before those of the body, as `expand` found them. */
  readonly history: readonly unknown[];
}

/** An answer of this dialect that the service keeps for the project. */
export interface FoundAnswer {
  readonly head: AnswerHead;
  readonly answer: KeptAnswer;
}

/** How a body is expanded by what the service keeps. */
export interface Expanding {
  /** The answer of an operation; null where there is none. It is counted each time that it is found. */
  readonly find: (id: string) => Promise<FoundAnswer | null>;
  /** Counts JSON that stands once more in the expanded body. Rejects where the body holds too much. */
  readonly take: (text: string) => Promise<void>;
}

/** A body whose references are resolved. */
export interface ExpandedBody {
  readonly body: unknown;
  readonly history: readonly unknown[];
}

/** What a call takes that is not in its body. */
export interface CallParts {
  /** Files of the project, by id. */
  readonly files: ReadonlyMap<string, BlobPart>;
  /** States that the upstream wants back with the calls of earlier turns, by call id. */
  readonly contexts: ReadonlyMap<string, string>;
}

/** A body as a dialect reads it. */
export interface AskedGeneration {
  /** The model that the body names; undefined leaves it to the key. */
  readonly model: string | undefined;
  readonly stream: boolean;
  /** Ids of the files of the project that it names. */
  readonly fileIds: readonly string[];
  /** Ids of the calls of earlier turns. */
  readonly callIds: readonly string[];
  /** Whether the client asks for the answer later, by its id. */
  readonly inBackground?: boolean;
  /** Tools beside the client's functions, in the contract's words: the provider or the gateway runs each, or the request is refused. */
  readonly gatewayTools?: readonly InteractionTool[];
  /** Which pages a search may cite, and the field that says so. */
  readonly searchDomains?: {
    readonly domains: Pick<WebSearchTool, 'allowedDomains' | 'blockedDomains'>;
    readonly field: string;
  };
  /** How often these tools may be called, all together and each. */
  readonly toolCallsMax?: number;
  readonly callsMaxByTool?: RoundWish['callsMaxByTool'];
  /** The same of tools that the client offers unasked: those are left out that the provider does not run. */
  readonly offeredTools?: readonly InteractionTool[];
  readonly toCall: (model: CatalogModel, parts: CallParts) => Omit<GenerationCall, 'operationId'>;
  /** The kind of the operation, where it is another than the dialect's. */
  readonly kind?: 'generate' | undefined;
  /** The same body as it is read for a model, where that depends on what the model offers. */
  readonly forModel?: (model: CatalogModel) => AskedGeneration;
  /** What the response repeats of the request, which is kept with the answer; at most a few kilobytes of JSON. */
  readonly echo: Readonly<Record<string, unknown>>;
}

/** What is known of an answer before its first piece. */
export interface AnswerHead {
  readonly id: string;
  /** The public id. */
  readonly model: string;
  readonly createdAtMs: number;
  readonly echo: AskedGeneration['echo'];
}

/** An answer whose operation is settled. */
export interface SettledAnswer {
  readonly answer: KeptAnswer;
  readonly operation: OperationRecord;
  /** The member of every response that holds the credits, by the name of the host. */
  readonly receipt: Readonly<Record<string, unknown>>;
}

/** How an answer stands that has not completed. */
export type UnfinishedAnswer =
  | { readonly status: 'queued' | 'in_progress' | 'cancelled' }
  | { readonly status: 'failed'; readonly error: GatewayError };

/**
 * Writes the events of one stream, in their order. The same pieces always give the same text, which is how a replay repeats a
 * stream byte for byte.
 */
export interface StreamWriter {
  /** The events of one piece; the first piece comes with the events that open a stream. Empty where the dialect has no word for the piece. */
  piece(parts: readonly AnswerPart[]): string;
  /**
   * The events of one step of a call that is sent while the model writes it: it begins, goes on and ends before anything else
   * is written. Such a call does not come in `piece`. Without this method every call comes there, whole.
   */
  callStep?(step: CallStep): string;
  /** The events after settlement. */
  end(settled: SettledAnswer): string;
  /** The last event of a stream that failed after its first piece. */
  fail(error: GatewayError): string;
  /**
   * What shows that a stream lives while tools run or the model is silent: the events that open it, and later one that says nothing and is no part of what
   * a replay repeats. By default a comment.
   */
  alive?(): string;
}

/** How the pieces of a stream stand in its body. */
export interface StreamFraming {
  readonly contentType: string;
  /** Whether its readers pass over the comments of server-sent events, by which a silent stream shows that it lives. */
  readonly comments: boolean;
}

/** A whole response that is no JSON. */
export interface WrittenBody {
  readonly contentType: string;
  readonly body: string | Uint8Array;
}

/**
 * A wire for one generation: how a body is read and an answer is written. Everything else is the engine's: credits, identity,
 * replay and recovery.
 */
export interface GenerationDialect {
  /** Kept with each answer: an answer is written again by the dialect of this name. */
  readonly name: string;
  /** The path below the base path, which is part of the identity of a request. */
  readonly path: string;
  /** The routes that the model must serve, and the kind of the operation; `chat` where it is left out. */
  readonly kind?: 'chat' | 'generate';
  /** Whether its answers hold media, which are then kept. */
  readonly keepsMedia?: true;
  /** The fields of a body that comes as a form (multipart/form-data); a body is JSON where it is left out. */
  readonly form?: FormFields;
  /** How streams are framed; as server-sent events where it is left out. */
  readonly framing?: StreamFraming;
  /** Where base64 stands in a body, as in `messages.*.content.*.source.data`. */
  readonly mediaPlaces: readonly string[];
  /** Whether texts at these places may be data URLs. */
  readonly dataUrls: boolean;
  /** The fields of a body, by the settings of a call. */
  readonly fieldNames: FieldNames;
  /** The field of a body that holds a schema for the answer. */
  readonly schemaField: string;
  /** Resolves what a body names of earlier answers, by the id of their operation; absent where bodies name none. */
  readonly expand?: (body: unknown, expanding: Expanding) => Promise<ExpandedBody>;
  /** Throws nothing but a `GatewayError` that names the field. */
  readonly read: (body: unknown, policy: ReadingPolicy) => AskedGeneration;
  readonly openStream: (head: AnswerHead) => StreamWriter;
  /** The whole response as JSON text. */
  readonly writeWhole: (head: AnswerHead, settled: SettledAnswer) => string;
  /** The whole response where it is no JSON, which then stands in the record of the request alone; null where it is. */
  readonly writeBody?: (head: AnswerHead, settled: SettledAnswer) => WrittenBody | null;
  /** The response while it is carried out, and of a failure; absent where a client gets an error for both. */
  readonly writeUnfinished?: (head: AnswerHead, unfinished: UnfinishedAnswer) => string;
}
