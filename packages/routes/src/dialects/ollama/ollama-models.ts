import { createHash } from 'node:crypto';
import { GatewayError, isRecord, limits, noObjectError, readAt, type CatalogModel } from '@tollgate/contract';
import type { Access } from '@tollgate/engine';
import { z } from 'zod';
import type { GatewayRequest } from '../../gateway-request.ts';
import { readJson } from '../../read-json.ts';
import { isAllowed, resolveModel, unavailableReason } from '../../resolve-model.ts';
import type { Service } from '../../service.ts';
import { modelName } from './model-name.ts';

/** The catalog has no date of its rows, and these clients want one. */
const modifiedAt = '1970-01-01T00:00:00Z';

/** These clients show the beginning of it beside a name; a model that is no file has that of its name. */
const digestOf = (id: string): string => createHash('sha256').update(id).digest('hex');

const detailsOf = ({ family }: CatalogModel) => ({
  parent_model: '',
  format: '',
  family,
  families: [family],
  parameter_size: '',
  quantization_level: '',
});

/** The models that can be called, as `GET /api/tags` lists them. */
export const listTags = (service: Service, access: Access): string => {
  const rows = service.models.rows.filter(
    (row) => isAllowed(access, row.id) && unavailableReason(service, row) === null,
  );
  const models = rows.map((row) => ({
    name: row.id,
    model: row.id,
    modified_at: modifiedAt,
    size: 0,
    digest: digestOf(row.id),
    details: detailsOf(row),
  }));
  return JSON.stringify({ models });
};

/** What a model can do, in the words of these clients. */
const capabilityWords: readonly (readonly [capability: string, word: string])[] = [
  ['chat', 'completion'],
  ['functions', 'tools'],
  ['image_input', 'vision'],
  ['text_embedding', 'embedding'],
  ['image_generation', 'image'],
];

const Asked = z.looseObject({ model: z.string().nullish(), name: z.string().nullish() });

/** One model, as `POST /api/show` shows it. */
export const showModel = async (service: Service, access: Access, request: GatewayRequest): Promise<string> => {
  const { value } = await readJson(service, request, limits.bodyBytesMax.other);
  if (!isRecord(value)) throw noObjectError(value);
  const { model, name } = readAt(Asked, value);
  const asked = model ?? name;
  if (typeof asked !== 'string' || asked === '')
    throw new GatewayError('invalid_request', {
      detail: 'The field model is missing; accepted is the id of a model, as GET /api/tags lists them.',
    });
  const row = resolveModel(service, access, modelName(asked), 'chat');
  return JSON.stringify({
    license: '',
    modelfile: '',
    parameters: '',
    template: '',
    details: detailsOf(row),
    model_info: { 'general.architecture': row.family, [`${row.family}.context_length`]: row.contextTokens },
    capabilities: capabilityWords.flatMap(([capability, word]) =>
      row.capabilities.includes(capability) ? [word] : [],
    ),
    modified_at: modifiedAt,
  });
};
