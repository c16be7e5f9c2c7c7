import { limits, type routes } from '@tollgate/contract';
import { z } from 'zod';
import { hostileRoutes, modelOf, type HostileRoute } from './hostile-routes.ts';

const keyHeader = 'x-goog-api-key';

const schemaOf = (id: (typeof routes)[number]['id']): z.ZodType => {
  const route = hostileRoutes.find((candidate) => candidate.id === id);
  if (route === undefined) throw new Error(`no route ${id} has a body`);
  return route.schema;
};

const generating = schemaOf('generateContent');
const embedding = z.strictObject({ content: z.strictObject({ parts: z.array(z.strictObject({ text: z.string() })) }) });

const generateModel = modelOf('generate');
const embedModel = modelOf('embeddings');

const route = (
  path: string,
  { schema, model, bodyBytesMax }: Omit<HostileRoute, 'id' | 'method' | 'path' | 'keyHeader'>,
): HostileRoute => ({
  id: `google ${path.replace(model, '*')}`,
  method: 'POST',
  path,
  bodyBytesMax,
  schema,
  model,
  keyHeader,
});

/** The paths of Google clients that read a JSON body in their own way: interactions are read by the route of the contract. */
export const googleRoutes: readonly HostileRoute[] = [
  route(`/v1beta/models/${generateModel}:generateContent`, {
    schema: generating,
    model: generateModel,
    bodyBytesMax: limits.bodyBytesMax.generate,
  }),
  route(`/v1beta/models/${generateModel}:countTokens`, {
    schema: z.union([generating, z.strictObject({ generateContentRequest: generating })]),
    model: generateModel,
    bodyBytesMax: limits.bodyBytesMax.generate,
  }),
  route(`/v1beta/models/${embedModel}:embedContent`, {
    schema: embedding,
    model: embedModel,
    bodyBytesMax: limits.bodyBytesMax.embeddings,
  }),
  route(`/v1beta/models/${embedModel}:batchEmbedContents`, {
    schema: z.strictObject({ requests: z.array(embedding) }),
    model: embedModel,
    bodyBytesMax: limits.bodyBytesMax.embeddings,
  }),
  route('/upload/v1beta/files', {
    schema: z.strictObject({ file: z.strictObject({ display_name: z.string() }) }),
    model: generateModel,
    bodyBytesMax: limits.bodyBytesMax.other,
  }),
];
