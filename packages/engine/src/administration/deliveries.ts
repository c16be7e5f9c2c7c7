import type { DeliveryRecord, IndexQuery } from '@tollgate/storage';
import type { Engine } from '../engine.ts';
import { byAge, selectPage, type Page, type PageQuery } from './search.ts';

/** What deliveries are listed by: the narrowest name that is given decides where is read; without one, all of them. */
export interface DeliveryQuery extends PageQuery {
  readonly projectId?: string | undefined;
  readonly webhookId?: string | undefined;
  readonly operationId?: string | undefined;
  /** `failed` are those whose tries have ended. */
  readonly status?: DeliveryRecord['status'] | undefined;
}

type ReadPage = (page: Omit<IndexQuery, 'of'>) => Promise<readonly DeliveryRecord[]>;

const readerOf =
  ({ storage }: Pick<Engine, 'storage'>, { projectId, webhookId, operationId }: DeliveryQuery): ReadPage =>
  (page) => {
    if (operationId !== undefined) return storage.list('deliveriesByOperation', { of: operationId, ...page });
    if (webhookId !== undefined) return storage.list('deliveriesByWebhook', { of: webhookId, ...page });
    if (projectId !== undefined) return storage.list('deliveriesByProject', { of: projectId, ...page });
    return storage.list('deliveries', { of: '', ...page });
  };

/** A page of deliveries of events to webhooks, newest first. */
export const findDeliveries = (
  engine: Pick<Engine, 'storage'>,
  query: DeliveryQuery = {},
): Promise<Page<DeliveryRecord>> => {
  const { projectId, webhookId, status } = query;
  return selectPage(readerOf(engine, query), {
    ...query,
    placeOf: byAge,
    keeps: (delivery) =>
      (projectId === undefined || delivery.projectId === projectId) &&
      (webhookId === undefined || delivery.webhookId === webhookId) &&
      (status === undefined || delivery.status === status),
  });
};

/** A delivery, or null. */
export const readDelivery = async (
  { storage }: Pick<Engine, 'storage'>,
  deliveryId: string,
): Promise<DeliveryRecord | null> =>
  (await storage.read([{ table: 'delivery', id: deliveryId }])).get('delivery', deliveryId) ?? null;
