import { autoModelId, GatewayError, safeName, type CatalogModel, type RouteFamily } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { Provider } from '@tollgate/provider';
import type { Service } from './service.ts';

/** As the record of a model says it. */
type Unavailable = 'not_released' | 'no_provider' | 'no_tariff';

// models:record:available
/** Why a model cannot be used now, in words for its record; null where it can. */
export const unavailableReason = (service: Service, model: CatalogModel): Unavailable | null => {
  if (!service.models.isEnabled(model)) return 'not_released';
  if (service.models.providerOf(model) === null) return 'no_provider';
  if (!service.models.isPriced(model)) return 'no_tariff';
  return null;
};

/**
 * What a call of a model is refused for before it is opened; null where it can run. A price that is missing has an error code of its
 * own, which the engine gives it.
 */
export const refusalOf = ({ models }: Service, model: CatalogModel): 'service_unavailable' | null =>
  models.isEnabled(model) && models.providerOf(model) !== null ? null : 'service_unavailable';

/** What the automatic id stands for on these routes: the key's own model, or the host's choice; null where there is none. */
export const selectedRow = (
  { models }: Pick<Service, 'models'>,
  access: Access,
  route: RouteFamily,
): CatalogModel | null => (access.model === null ? choose(models, access, route) : models.find(access.model));

const choose = (
  models: Service['models'],
  { keyId, projectId, accountId, requestId, models: allowed }: Access,
  route: RouteFamily,
): CatalogModel | null =>
  models.selectAutomatically({ keyId, projectId, accountId, request: { id: requestId, route } }, allowed);

/** Whether the caller may call a model at all; what it stands for is not judged. */
export const isAllowed = ({ models }: Pick<Access, 'models'>, id: string): boolean =>
  models === null || models.includes(id);

const checkAllowed = (access: Access, model: CatalogModel): CatalogModel => {
  if (isAllowed(access, model.id)) return model;
  throw new GatewayError('model_not_allowed', {
    detail: `The key may not call the model ${safeName(model.id)}; accepted are ${(access.models ?? []).join(', ')}.`,
  });
};

const automatic = ({ models }: Service, access: Access, route: RouteFamily): CatalogModel => {
  const model = choose(models, access, route);
  if (model === null) throw new GatewayError('service_unavailable');
  return model;
};

const bound = (service: Service, id: string): CatalogModel => {
  const model = service.models.find(id);
  // The host took the row out of its catalog: the key is good, the model is not there.
  if (model === null) throw new GatewayError('service_unavailable');
  return model;
};

const mismatch = ({ brand }: Service, wanted: string, own: string): GatewayError =>
  new GatewayError('model_key_mismatch', {
    detail: `The field model is ${safeName(wanted)}, and the key is bound to another model; accepted are ${own} and ${autoModelId(brand)}.`,
  });

// catalog:alias:service-auto, errors:code:model-key-mismatch
/**
 * The model of a call: the key's, unless the key is bound to none. Another id than the key's is refused; the automatic id
 * never is.
 */
export const resolveModel = (
  service: Service,
  access: Access,
  asked: string | undefined,
  route: RouteFamily,
): CatalogModel => {
  const wanted = asked === autoModelId(service.brand) ? undefined : asked;
  if (access.model !== null) {
    if (wanted !== undefined && wanted !== access.model) throw mismatch(service, wanted, access.model);
    return checkAllowed(access, bound(service, access.model));
  }
  if (wanted === undefined) return automatic(service, access, route);
  const model = service.models.find(wanted);
  if (model === null)
    throw new GatewayError('not_found', {
      detail: `There is no model ${safeName(wanted)}; GET ${service.basePath}/models lists those that there are.`,
    });
  return checkAllowed(access, model);
};

// errors:code:model-incompatible
/** Refuses a model whose family another route serves. */
export const checkFamily = (model: CatalogModel, family: RouteFamily): void => {
  if (!model.routes.includes(family))
    throw new GatewayError('model_incompatible', {
      detail: `The model ${model.id} does not serve this route (${family}); it offers ${model.routes.join(', ')}.`,
    });
};

/** Who runs it; a model without a provider has been refused as unavailable before this is asked. */
export const requireProvider = (service: Service, model: CatalogModel): Provider => {
  const provider = service.models.providerOf(model);
  if (provider === null) throw new GatewayError('service_unavailable');
  return provider;
};
