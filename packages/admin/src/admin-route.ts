import type { Administration } from '@tollgate/engine';
import { z } from 'zod';
import type { AdminCaller } from './admin-caller.ts';

/** What a row works with. */
export interface AdminContext {
  readonly admin: Administration;
  readonly caller: AdminCaller;
  /** The Idempotency-Key of the request, or null. */
  readonly identity: string | null;
  /** The values of the Accept header. */
  readonly accept: string;
}

/** What a row returns: a record or a list, or text that is made while it is sent. */
export type AdminAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'csv'; readonly stream: ReadableStream<Uint8Array>; readonly fileName: string };

export const json = (value: unknown): AdminAnswer => ({ kind: 'json', value });

/** A request as its row sees it before its schemas have read it. */
export interface RawInput {
  readonly path: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

/** Reads one part of a request by its schema; throws an error that names the field. */
export type ReadPart = <T>(schema: z.ZodType<T>, value: unknown, part: 'path' | 'query' | 'body') => T;

interface Facts {
  /** The operation's id in the OpenAPI document: the name of the function that it is for, where it is one. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH';
  /** Below the base path; parameters in braces. */
  readonly path: string;
  readonly summary: string;
  /** Who may ask: an owner only of its own. */
  readonly role: 'operator' | 'owner';
  /** The functions of `gateway.admin` that it stands for. */
  readonly covers: readonly (keyof Administration)[];
  readonly success: { readonly status: 200 | 201; readonly description: string; readonly schema: z.ZodType };
  /** Present where the answer may be CSV as well. */
  readonly hasCsv?: true;
  /** Whether an Idempotency-Key makes a repeat harmless; what changes nothing when it is repeated needs none. */
  readonly takesIdentity?: true;
  /** Longest body, where it is not the usual one. */
  readonly bodyBytesMax?: number;
}

/** One route of the administration: routing, OpenAPI document and documentation follow from it. */
export interface AdminRoute extends Facts {
  readonly pathParameters: z.ZodObject;
  readonly queryParameters: z.ZodObject;
  /** Null where it takes none. */
  readonly request: z.ZodObject | null;
  readonly answer: (context: AdminContext, input: RawInput, read: ReadPart) => Promise<AdminAnswer>;
}

type ObjectOf<T> = z.ZodObject & z.ZodType<T>;

interface Row<P, Q, B> extends Facts {
  readonly pathParameters: ObjectOf<P>;
  readonly queryParameters: ObjectOf<Q>;
  readonly request: ObjectOf<B>;
  readonly run: (
    context: AdminContext,
    input: { readonly path: P; readonly query: Q; readonly body: B },
  ) => Promise<AdminAnswer>;
}

/** No parameters, or no body. */
export const nothing = z.strictObject({});

/** Makes a row whose function is given what its schemas have read. */
export const adminRoute = <P, Q, B>({ run, ...row }: Row<P, Q, B>): AdminRoute => ({
  ...row,
  request: row.method === 'GET' || Object.keys(row.request.shape).length === 0 ? null : row.request,
  answer: (context, input, read) =>
    run(context, {
      path: read(row.pathParameters, input.path, 'path'),
      query: read(row.queryParameters, input.query, 'query'),
      body: read(row.request, input.body, 'body'),
    }),
});

/** What a row that only reads says of itself. */
export const reads = { method: 'GET', request: nothing } as const;
