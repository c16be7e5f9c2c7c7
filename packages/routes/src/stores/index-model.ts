import { GatewayError, type CatalogModel } from '@tollgate/contract';
import { unavailableReason } from '../resolve-model.ts';
import type { Service } from '../service.ts';

const dimensionsDefault = 768;

const embeds = (model: CatalogModel): boolean => model.routes.includes('embeddings');

const isAvailable = (service: Service, model: CatalogModel): boolean =>
  embeds(model) && unavailableReason(service, model) === null && service.models.providerOf(model)?.embed !== undefined;

const candidates = ({ models, indexing }: Service): readonly CatalogModel[] => {
  if (indexing.model === undefined)
    return models.rows.toSorted((a, b) => Number(b.recommended) - Number(a.recommended));
  const chosen = models.find(indexing.model);
  return chosen === null ? [] : [chosen];
};

/** The model by which a new store is indexed; a store keeps it, since vectors of two models cannot be compared. */
export const indexModel = (service: Service): CatalogModel => {
  const model = candidates(service).find((row) => isAvailable(service, row));
  if (model === undefined)
    throw new GatewayError('service_unavailable', { detail: 'No model for indexing documents is available.' });
  return model;
};

/** The length of vectors that a new store gets; null leaves it to the model. */
export const indexDimensions = ({ indexing }: Service, { embedding }: CatalogModel): number | null => {
  if (indexing.dimensions !== undefined) return indexing.dimensions;
  const offered = embedding?.dimensions;
  switch (offered?.kind) {
    case undefined:
      return null;
    case 'range':
      return Math.min(Math.max(dimensionsDefault, offered.min), offered.max);
    case 'list':
      return offered.values.includes(dimensionsDefault) ? dimensionsDefault : (offered.values[0] ?? null);
  }
};
