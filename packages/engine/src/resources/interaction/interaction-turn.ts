import type { Usage } from '@tollgate/provider';
import type { Engine } from '../../engine.ts';
import { holdOf, type Estimate } from '../../ledger/hold.ts';
import { holdPricesOf } from '../../ledger/operation-prices.ts';
import type { AskedTool } from '../../tools/asked-tool.ts';
import type { ToolRunners } from '../../tools/tool-runner.ts';
import type { Work, WorkContext } from '../../workers/work-kind.ts';
import type { InteractionLimits } from './interaction-limits.ts';
import type { InteractionModel } from './interaction-model.ts';
import type { InteractionOrder, InteractionSettings } from './interaction-work.ts';
import type { StoredTool } from './stored-step.ts';
import type { TextSeal } from '../../access/seal-text.ts';

export interface InteractionKindOptions {
  readonly engine: Engine;
  /** By public model id; null where no provider runs its interactions now. */
  readonly findModel: (model: string) => InteractionModel | null;
  /** Where a client downloads a medium. */
  readonly contentUrl: (id: string, index: number) => string;
  readonly runners: ToolRunners;
  readonly seal: TextSeal;
  /** What a provider noted of a store or an environment of the project, or null. */
  readonly findReference: (id: string, provider: string) => Promise<string | null>;
  readonly limits: InteractionLimits;
}

/** One turn of work on one interaction. */
export interface InteractionTurn {
  readonly options: InteractionKindOptions;
  readonly work: Work;
  readonly context: WorkContext;
  readonly order: InteractionOrder;
  readonly settings: InteractionSettings;
  readonly model: InteractionModel;
}

/** Blobs of an interaction lie together. */
export const folderOf = ({ work }: Pick<InteractionTurn, 'work'>): string => `interactions/${work.operation.id}`;

/** A tool with what only its server may see. */
export const openTool = (seal: TextSeal, tool: StoredTool): AskedTool => {
  if (tool.kind !== 'mcp_server') return tool;
  const { sealedHeaders, ...rest } = tool;
  if (sealedHeaders === undefined) return rest;
  // Sound: `sealTool` alone seals, and sealed a record of texts.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { ...rest, headers: JSON.parse(seal.open(sealedHeaders)) as Readonly<Record<string, string>> };
};

/** A tool as it may lie in a record. */
export const sealTool = (seal: TextSeal, tool: AskedTool): StoredTool => {
  if (tool.kind !== 'mcp_server') return tool;
  const { headers, ...rest } = tool;
  return headers === undefined ? rest : { ...rest, sealedHeaders: seal.seal(JSON.stringify(headers)) };
};

// G41
/** Whether the reservation covers what was used and what is to come. */
export const isCovered = (
  { options, work }: Pick<InteractionTurn, 'options' | 'work'>,
  used: readonly Usage[],
  next: Estimate,
): boolean => {
  const { operation } = work;
  // Together: what is to come may bring all of it above a threshold of length.
  const known = used.map(({ unit, quantity }) => ({ unit, quantity, exact: true }) as const);
  const micros = holdOf(holdPricesOf(options.engine, operation), [...known, ...next]);
  return micros !== null && micros <= operation.holdMicros;
};

/** One sum for each unit; what is not confirmed stays so. */
export const addUsage = (used: readonly Usage[], more: readonly Usage[]): readonly Usage[] => {
  const sums = new Map<string, Usage>();
  for (const usage of [...used, ...more]) {
    const key = `${usage.unit} ${String(usage.confirmed)}`;
    const sum = sums.get(key);
    sums.set(key, sum === undefined ? usage : { ...sum, quantity: sum.quantity + usage.quantity });
  }
  return [...sums.values()];
};
