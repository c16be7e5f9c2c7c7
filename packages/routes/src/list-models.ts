import { autoModelId, GatewayError, type CatalogModel, type Model, type ModelList } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { jsonAnswer } from './json-answer.ts';
import { isAllowed, selectedRow, unavailableReason } from './resolve-model.ts';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';
import { shownPrices } from './shown-prices.ts';

const toModel = (service: Service, access: Access, row: CatalogModel): Model => {
  const reason = unavailableReason(service, row);
  const available = reason === null;
  const prices = service.showPrices ? shownPrices(service, access, row) : null;
  return {
    id: row.id,
    object: 'model',
    name: row.name,
    family: row.family,
    profile: row.profile,
    consumption: row.consumption,
    recommended: row.recommended,
    available,
    usable_with_key: access.model === null ? available : access.model === row.id,
    unavailable_reason: reason,
    capabilities: row.capabilities,
    ...(prices !== null && { prices }),
  };
};

// models:get:automatic
/** The record of automatic selection: what the key's own model can do, under the automatic id. */
const automaticModel = (service: Service, access: Access): Model => {
  const row = selectedRow(service, access, 'chat');
  const id = autoModelId(service.brand);
  if (row !== null) return { ...toModel(service, access, row), id, name: 'Automatic selection', usable_with_key: true };
  return {
    id,
    object: 'model',
    name: 'Automatic selection',
    family: 'text',
    profile: 'Chooses an available model.',
    consumption: 'By the tariff of the model chosen.',
    recommended: false,
    available: false,
    usable_with_key: true,
    unavailable_reason: 'no_model_available',
    capabilities: [],
  };
};

// models:list:*
/** GET /models. */
export const listModels = (service: Service, access: Access): GatewayResponse => {
  const list: ModelList = {
    object: 'list',
    selected_model: access.model ?? autoModelId(service.brand),
    data: service.models.rows.filter((row) => isAllowed(access, row.id)).map((row) => toModel(service, access, row)),
  };
  return jsonAnswer(JSON.stringify(list));
};

// models:get:*
/** GET /models/{model}. */
export const getModel = (service: Service, access: Access, id: string): GatewayResponse => {
  if (id === autoModelId(service.brand)) return jsonAnswer(JSON.stringify(automaticModel(service, access)));
  const row = service.models.find(id);
  if (row === null || !isAllowed(access, row.id)) throw new GatewayError('not_found');
  return jsonAnswer(JSON.stringify(toModel(service, access, row)));
};
