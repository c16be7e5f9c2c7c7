import { autoModelId, GatewayError, type CatalogModel } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from '../../gateway-request.ts';
import { isAllowed, selectedRow, unavailableReason } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';
import { listPage } from './list-page.ts';

/** The catalog has no date of its rows, and these clients want one. */
const createdAt = '1970-01-01T00:00:00Z';

const toModel = (id: string, { name, contextTokens, maxOutputTokens }: CatalogModel) => ({
  type: 'model',
  id,
  display_name: name,
  created_at: createdAt,
  max_input_tokens: contextTokens,
  max_tokens: maxOutputTokens,
});

/** The models that a conversation can name and that can be called, page by page. */
export const listAnthropicModels = (service: Service, access: Access, request: GatewayRequest): string => {
  const rows = service.models.rows.filter(
    (row) => row.routes.includes('chat') && isAllowed(access, row.id) && unavailableReason(service, row) === null,
  );
  const models = rows.map((row) => toModel(row.id, row));
  return JSON.stringify(listPage(models, request.query));
};

/** One model; the automatic id is shown as what it selects for this key. */
export const getAnthropicModel = (service: Service, access: Access, id: string): string => {
  const row = id === autoModelId(service.brand) ? selectedRow(service, access, 'chat') : service.models.find(id);
  if (row === null || !isAllowed(access, row.id)) throw new GatewayError('not_found');
  return JSON.stringify(toModel(id, row));
};
