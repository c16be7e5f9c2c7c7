import type { z } from 'zod';
import type { RouteFamily } from '../catalog/model-family.ts';

/** What one status answers: a schema per content type. Schemas that hold the brand's key are built for a brand. */
export interface RouteAnswer {
  readonly description: string;
  readonly contents: Readonly<Record<string, (brand: string) => z.ZodType>>;
}

/** One route of the interface, from which the router and the OpenAPI description are both derived. */
export interface Route {
  /** The operation's id, by which a router demands a handler. */
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `basePath`; parameters in braces. */
  readonly path: string;
  readonly summary: string;
  // errors:format:string
  /** `object` is {error:{code,message}}, `text` is {error:"message"}. */
  readonly errorForm: 'object' | 'text';
  /** True when a call is an operation that reserves and debits credits. */
  readonly charged: boolean;
  /** Whether an Idempotency-Key names what a call creates, and its answer says whether it was there already. */
  readonly takesIdentity: boolean;
  /** Longest body in bytes; null where the route takes none. */
  readonly bodyBytesMax: number | null;
  /** The family that a model must serve; null where no model is asked. */
  readonly family: RouteFamily | null;
  readonly pathParameters: z.ZodObject | null;
  /** Without it the query string means nothing. */
  readonly queryParameters?: z.ZodObject;
  /** Present where no key is needed, unless the host demands one. */
  readonly isPublic?: true;
  /** Present where HEAD is answered as GET is, without a body. */
  readonly answersHead?: true;
  readonly request: z.ZodType | null;
  readonly success: RouteAnswer;
  /** Every documented status, that of success first. */
  readonly statuses: readonly number[];
}
