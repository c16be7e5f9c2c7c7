import type { BillRow, ReconcileReport } from '@tollgate/engine';
import type { OperationRecord } from '@tollgate/storage';
import { z } from 'zod';
import { adminRoute, json, nothing, type AdminContext, type AdminRoute } from '../admin-route.ts';
import { GivenTime, Id, Usage } from '../records/fields.ts';
import { Reconciliation } from '../records/operation-records.ts';
import { shownOperation } from '../shown-operation.ts';
import { judging, noteFields, noteOf } from './verdict-rows.ts';

const rowsMax = 20_000;
const bytesMax = 8_388_608;

const Row = z.strictObject({
  id: z.string().meta({ description: "The upstream's id, or the operation's; empty for a fee." }),
  usage: Usage,
  at: GivenTime.exactOptional(),
});

const toRow = ({ id, usage, at }: z.infer<typeof Row>, place: number): BillRow => ({
  id,
  usage,
  line: place + 1,
  atMs: at === undefined ? undefined : Date.parse(at),
});

/** A row of a report with its operation as it is shown. */
const shownRow = ({ caller }: AdminContext, row: { readonly operation: OperationRecord }): object => ({
  ...row,
  operation: shownOperation(caller, row.operation),
});

const shownReport = (context: AdminContext, report: ReconcileReport): object => ({
  ...report,
  proposals: report.proposals.map((row) => shownRow(context, row)),
  differences: report.differences.map((row) => shownRow(context, row)),
});

/** Uncertain operations by an upstream's bill. */
export const reconcileRows: readonly AdminRoute[] = [
  adminRoute({
    id: 'reconcile',
    method: 'POST',
    path: '/reconciliations',
    summary: "Compare an upstream's bill with uncertain operations, and decide them with apply",
    role: 'operator',
    covers: ['reconcile'],
    bodyBytesMax: bytesMax,
    pathParameters: nothing,
    queryParameters: nothing,
    request: z.strictObject({
      rows: z.array(Row).max(rowsMax),
      covers: z
        .union([z.literal('rows'), z.strictObject({ from: GivenTime, until: GivenTime })])
        .exactOptional()
        .meta({ description: 'The bill has every call of this time; without it nothing is released.' }),
      provider: Id.exactOptional(),
      ids_are: z.enum(['upstream', 'operation']).exactOptional(),
      ignore_rows_without_id: z.boolean().exactOptional(),
      apply: z.boolean().exactOptional(),
      ...noteFields,
    }),
    success: { status: 200, description: 'What the bill says of each, and what became of it.', schema: Reconciliation },
    run: async (context, { body }) => {
      const { covers } = body;
      const report = await judging(() =>
        context.admin.reconcile({
          rows: body.rows.map(toRow),
          covers:
            typeof covers === 'object'
              ? { fromMs: Date.parse(covers.from), untilMs: Date.parse(covers.until) }
              : covers,
          provider: body.provider,
          idsAre: body.ids_are,
          ignoreRowsWithoutId: body.ignore_rows_without_id,
          apply: body.apply,
          note: noteOf(context, { reason: body.reason, reference: body.reference }),
          rowsMax,
        }),
      );
      return json(shownReport(context, report));
    },
  }),
];
