import { GatewayError, isGatewayError, type CatalogModel } from '@tollgate/contract';
import type { ResourceWire } from '@tollgate/engine';
import { sumOf, type PreparedBatch } from '../../batches/plan-batch.ts';
import { resolveFiles } from '../../files/resolve-files.ts';
import { admitCall, admittedModel } from '../../hooks/admit-call.ts';
import { checkFamily, resolveModel } from '../../resolve-model.ts';
import { createHistoryBudget } from '../generation/history-budget.ts';
import type { BatchOwner, ItemReader, ReadItem } from './item-reader.ts';

/** One request of a batch as it was sent. */
export interface SentItem {
  readonly key: string;
  /** Where it stands, for what is refused of it: `In line 3 of the file`. */
  readonly where: string;
  readonly body: unknown;
}

interface FoundItem {
  readonly where: string;
  readonly item: ReadItem;
}

const told = (where: string, cause: unknown): unknown =>
  isGatewayError(cause) ? new GatewayError(cause.code, { detail: `${where}: ${cause.message}`, cause }) : cause;

/** Runs a check of one item; what it refuses says which one is wrong. */
const atItem = <T>(where: string, check: () => T): T => {
  try {
    return check();
  } catch (cause) {
    throw told(where, cause);
  }
};

/** The same for a check that takes time. */
export const atItemLater = async <T>(where: string, check: () => Promise<T>): Promise<T> => {
  try {
    return await check();
  } catch (cause) {
    throw told(where, cause);
  }
};

const readAll = async (
  owner: BatchOwner,
  reader: ItemReader,
  sent: readonly SentItem[],
): Promise<readonly FoundItem[]> => {
  const budget = createHistoryBudget(owner.service.bodyBounds, owner.turn);
  const found: FoundItem[] = [];
  for (const { where, body } of sent)
    found.push({ where, item: await atItemLater(where, () => reader.read(owner, body, budget)) });
  return found;
};

/** A batch has one model: its hold, its worker and its upstream are those of one. */
const modelOf = ({ service, access }: BatchOwner, reader: ItemReader, found: readonly FoundItem[]): CatalogModel => {
  let model: CatalogModel | null = null;
  for (const { where, item } of found) {
    const named = atItem(where, () => resolveModel(service, access, item.model, reader.family));
    if (model !== null && named.id !== model.id)
      throw new GatewayError('invalid_request', {
        detail: `${where}: The field model is ${named.id}, and an earlier request names ${model.id}; accepted is one model in a batch.`,
      });
    model = named;
  }
  const one = model ?? resolveModel(service, access, undefined, reader.family);
  checkFamily(one, reader.family);
  return one;
};

/** Reads and checks every request of a batch; one that its own route would refuse refuses the whole. */
export const prepareItems = async (
  owner: BatchOwner,
  reader: ItemReader,
  sent: readonly SentItem[],
  wire: ResourceWire,
): Promise<PreparedBatch> => {
  const { service, access: caller } = owner;
  const found = await readAll(owner, reader, sent);
  const named = modelOf(owner, reader, found);
  const access = caller.asked === undefined ? caller : await admitCall(service, { access: caller, model: named });
  const model = admittedModel(service, access, named);
  checkFamily(model, reader.family);
  const fileIds = found.flatMap(({ item }) => item.fileIds);
  const files = await resolveFiles(service, access, fileIds, service.models.providerOf(model)?.name ?? '');
  const items = found.map(({ where, item }) => atItem(where, () => item.toItem(model, files.parts)));
  return {
    access,
    model,
    displayName: null,
    keys: sent.map(({ key }) => key),
    wire,
    items: items.map(({ stored }) => stored),
    estimate: sumOf(items.map(({ estimate }) => estimate)),
    files: files.ids,
    uses: [],
  };
};
