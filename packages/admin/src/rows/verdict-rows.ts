import {
  microsFromCredits,
  type ResolveAnswer,
  type Verdict,
  type VerdictNote,
  type VerdictPart,
  type VerdictPreview,
} from '@tollgate/engine';
import { z } from 'zod';
import { adminRoute, json, nothing, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { AdminError, notFound } from '../admin-error.ts';
import { Id, Credits, Usage } from '../records/fields.ts';
import { Resolved, VerdictPreview as Preview } from '../records/operation-records.ts';
import { shownOperation } from '../shown-operation.ts';

const operation = z.strictObject({ operation_id: Id });

const partsMax = 10_000;

const Part = z.strictObject({
  part: z.string(),
  executed: z.boolean(),
  usage: Usage.exactOptional(),
  credits: Credits.exactOptional(),
});

const verdictFields = {
  executed: z.boolean().meta({ description: 'False releases the hold.' }),
  credits: Credits.exactOptional().meta({ description: 'What the whole costs.' }),
  usage: z
    .union([z.literal('at_least'), Usage])
    .exactOptional()
    .meta({ description: 'What the whole used; `at_least` is what is known to have been used.' }),
  parts: z
    .array(Part)
    .max(partsMax)
    .exactOptional()
    .meta({ description: 'What each part of unknown outcome used or cost.' }),
};

export const noteFields = { reason: z.string().exactOptional(), reference: z.string().exactOptional() };

const VerdictBody = z.strictObject(verdictFields);
type VerdictBody = z.infer<typeof VerdictBody>;

const requireOneSaying = (executed: boolean, sayings: readonly unknown[], names: string): void => {
  if (sayings.filter((saying) => saying !== undefined).length > (executed ? 1 : 0))
    throw new AdminError('invalid_request', `${names} exclude each other, and a verdict that it did not run.`);
};

const toPart = ({ part, executed, usage, credits }: z.infer<typeof Part>): VerdictPart => {
  requireOneSaying(executed, [usage, credits], 'usage and credits of a part');
  if (!executed) return { part, executed };
  if (usage !== undefined) return { part, executed, usage };
  if (credits !== undefined) return { part, executed, amountMicros: microsFromCredits(credits) };
  throw new AdminError('invalid_request', `part ${part} has no usage and no credits; accepted is one of them.`);
};

/** The body with amounts as the engine counts them. */
const toVerdict = ({ executed, credits, usage, parts }: VerdictBody): Verdict => {
  requireOneSaying(executed, [credits, usage, parts], 'credits, usage and parts');
  if (!executed) return { executed };
  if (usage !== undefined) return { executed, usage };
  if (parts !== undefined) return { executed, parts: parts.map(toPart) };
  return credits === undefined ? { executed } : { executed, amountMicros: microsFromCredits(credits) };
};

/** What the engine refuses of a verdict as a RangeError names the field, what came and what is accepted. */
export const judging = async <T>(judge: () => Promise<T>): Promise<T> => {
  try {
    return await judge();
  } catch (cause) {
    if (cause instanceof RangeError) throw new AdminError('invalid_request', cause.message);
    throw cause;
  }
};

type Refused = Exclude<ResolveAnswer | VerdictPreview, { readonly kind: 'resolved' | 'judged' }>;

const refusal = (answer: Refused): AdminError => {
  switch (answer.kind) {
    case 'missing':
      return notFound();
    case 'pending':
      return new AdminError('conflict', 'The free balance does not cover the amount yet.');
    case 'decided_otherwise':
      return new AdminError('conflict', 'Another verdict came before, and stays.');
    case 'not_uncertain':
      return new AdminError('conflict', 'The operation is not uncertain.');
    case 'amount_needed':
      return new AdminError('invalid_request', 'Nothing was measured; accepted are credits, usage or parts.');
    case 'usage_needed':
      return new AdminError(
        'invalid_request',
        'Nothing is known of what was used; accepted are credits, a usage or parts.',
      );
    case 'price_missing':
      return new AdminError('invalid_request', 'The price list has no price for the usage; accepted are credits.');
    case 'parts_refused':
      return new AdminError('invalid_request', partsMessage(answer));
  }
};

const partsMessage = ({
  missing,
  repeated,
  notUnknown,
}: Extract<Refused, { readonly kind: 'parts_refused' }>): string => {
  const named = [
    ['missing', missing],
    ['repeated', repeated],
    ['not unknown', notUnknown],
  ] as const;
  const shown = named.flatMap(([what, parts]) =>
    parts.length === 0 ? [] : [`${what}: ${parts.slice(0, 10).join(', ')}`],
  );
  return `parts do not name each part of unknown outcome once (${shown.join('; ')}).`;
};

/** The name of the operator goes on record with the verdict. */
export const noteOf = (
  { caller }: AdminContext,
  { reason, reference }: Pick<VerdictNote, 'reason' | 'reference'>,
): VerdictNote => ({ by: caller.name, reason, reference });

const verdictBytesMax = 1_048_576;

/** Verdicts on uncertain operations. */
export const verdictRows: readonly AdminRoute[] = [
  adminRoute({
    id: 'previewVerdict',
    method: 'POST',
    path: '/operations/{operation_id}/verdict-preview',
    summary: 'Tell what a verdict would charge, without carrying it out',
    role: 'operator',
    covers: ['previewVerdict'],
    bodyBytesMax: verdictBytesMax,
    pathParameters: operation,
    queryParameters: nothing,
    request: VerdictBody,
    success: { status: 200, description: 'What it would charge.', schema: Preview },
    run: async ({ admin }, { path, body }) => {
      const answer = await judging(() => admin.previewVerdict(path.operation_id, toVerdict(body)));
      if (answer.kind !== 'judged') throw refusal(answer);
      return json({ amountMicros: answer.amountMicros, usage: answer.usage });
    },
  }),
  adminRoute({
    id: 'resolveOperation',
    method: 'POST',
    path: '/operations/{operation_id}/verdict',
    summary: 'Decide an uncertain operation, once',
    role: 'operator',
    covers: ['resolveOperation'],
    bodyBytesMax: verdictBytesMax,
    pathParameters: operation,
    queryParameters: nothing,
    request: z.strictObject({ ...verdictFields, ...noteFields }),
    success: { status: 200, description: 'The operation as decided.', schema: Resolved },
    run: async (context, { path, body }) => {
      const { reason, reference, ...verdict } = body;
      const note = noteOf(context, { reason, reference });
      const answer = await judging(() => context.admin.resolveOperation(path.operation_id, toVerdict(verdict), note));
      if (answer.kind !== 'resolved') throw refusal(answer);
      return json({ repeated: answer.repeated, operation: shownOperation(context.caller, answer.operation) });
    },
  }),
];
