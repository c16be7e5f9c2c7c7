import { autoModelId, GatewayError, type CatalogModel } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from '../../gateway-request.ts';
import { selectedRow, unavailableReason } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';

/** Models of one page, as these clients know it. */
const pageMax = 1_000;
const pageDefault = 20;

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

const limitOf = (query: URLSearchParams): number => {
  const text = query.get('limit');
  if (text === null) return pageDefault;
  const limit = Number(text);
  if (!Number.isInteger(limit) || limit < 1 || limit > pageMax)
    throw new GatewayError('invalid_request', {
      detail: `The parameter limit is no number of models; accepted are integers from 1 to ${pageMax}.`,
    });
  return limit;
};

/** The models that a conversation can name and that can be called, page by page. */
export const listAnthropicModels = (service: Service, request: GatewayRequest): string => {
  const query = new URLSearchParams(request.query);
  const rows = service.models.rows.filter(
    (row) => row.routes.includes('chat') && unavailableReason(service, row) === null,
  );
  const limit = limitOf(query);
  const placeOf = (id: string | null): number => rows.findIndex((row) => row.id === id);
  const after = placeOf(query.get('after_id'));
  const before = placeOf(query.get('before_id'));
  const to = before === -1 ? Math.min(after + 1 + limit, rows.length) : before;
  const from = before === -1 ? after + 1 : Math.max(0, before - limit);
  const data = rows.slice(from, to).map((row) => toModel(row.id, row));
  return JSON.stringify({
    data,
    has_more: before === -1 ? to < rows.length : from > 0,
    first_id: data[0]?.id ?? null,
    last_id: data.at(-1)?.id ?? null,
  });
};

/** One model; the automatic id is shown as what it selects for this key. */
export const getAnthropicModel = (service: Service, access: Access, id: string): string => {
  const row = id === autoModelId(service.brand) ? selectedRow(service, access) : service.models.find(id);
  if (row === null) throw new GatewayError('not_found');
  return JSON.stringify(toModel(id, row));
};
