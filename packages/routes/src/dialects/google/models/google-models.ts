import { autoModelId, GatewayError, type CatalogModel, type RouteFamily } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import type { GatewayRequest } from '../../../gateway-request.ts';
import { isAllowed, selectedRow, unavailableReason } from '../../../resolve-model.ts';
import type { Service } from '../../../service.ts';
import { numberAt, pageSizeOf } from '../page-of.ts';

const methodsOf: Readonly<Partial<Record<RouteFamily, readonly string[]>>> = {
  generate: ['generateContent', 'streamGenerateContent', 'countTokens'],
  embeddings: ['embedContent', 'batchEmbedContents'],
};

/** Whether this dialect has a method for it. */
const isCallable = ({ routes }: CatalogModel): boolean => routes.some((family) => methodsOf[family] !== undefined);

const toGoogleModel = (row: CatalogModel) => ({
  name: `models/${row.id}`,
  version: row.id,
  displayName: row.name,
  description: row.profile,
  inputTokenLimit: row.contextTokens,
  outputTokenLimit: row.maxOutputTokens,
  supportedGenerationMethods: row.routes.flatMap((family) => methodsOf[family] ?? []),
});

/** The models that can be called, as this dialect has no word for those that cannot. */
export const listGoogleModels = (service: Service, access: Access, request: GatewayRequest): string => {
  const query = new URLSearchParams(request.query);
  const rows = service.models.rows.filter(
    (row) => isCallable(row) && isAllowed(access, row.id) && unavailableReason(service, row) === null,
  );
  const from = numberAt(query, 'pageToken', 0);
  const to = from + pageSizeOf(query);
  return JSON.stringify({
    models: rows.slice(from, to).map(toGoogleModel),
    nextPageToken: to < rows.length ? String(to) : undefined,
  });
};

// models:get:automatic
/** One model; the automatic id is shown as what it selects for this key. */
export const getGoogleModel = (service: Service, access: Access, id: string): string => {
  const isAutomatic = id === autoModelId(service.brand);
  const row = isAutomatic ? selectedRow(service, access, 'chat') : service.models.find(id);
  if (row === null || !isAllowed(access, row.id)) throw new GatewayError('not_found');
  return JSON.stringify({ ...toGoogleModel(row), ...(isAutomatic ? { name: `models/${id}`, version: id } : {}) });
};
