import { z } from 'zod';
import { createDocument, type ZodOpenApiOperationObject, type ZodOpenApiResponseObject } from 'zod-openapi';
import { adminErrors } from './admin-error.ts';
import type { AdminRoute } from './admin-route.ts';

/** An OpenAPI 3.1 document, ready for JSON. */
export type AdminOpenApi = ReturnType<typeof createDocument>;

const ErrorBody = z
  .looseObject({ error: z.looseObject({ code: z.string(), message: z.string(), request_id: z.string() }) })
  .meta({ id: 'Error', description: `Codes of the gateway, and ${Object.keys(adminErrors).join(', ')}.` });

const errors: Readonly<Record<string, string>> = {
  400: 'The body is no JSON.',
  401: 'The credential is missing or wrong.',
  403: 'The caller may not do it.',
  404: 'Not found, or not the caller’s.',
  409: 'The state of a record does not allow it.',
  413: 'The body is too large.',
  422: 'A field is missing, unknown or wrong; the message names it.',
  503: 'Temporarily unavailable.',
};

const identityHeader = z.object({
  'Idempotency-Key': z.string().exactOptional().meta({ description: 'The same again changes nothing.' }),
});

const successContent = ({ success, hasCsv }: AdminRoute): NonNullable<ZodOpenApiResponseObject['content']> => {
  const json = { 'application/json': { schema: success.schema } };
  return hasCsv === true ? { ...json, 'text/csv': { schema: z.string() } } : json;
};

const responsesOf = (route: AdminRoute): ZodOpenApiOperationObject['responses'] => ({
  [`${route.success.status}`]: { description: route.success.description, content: successContent(route) },
  ...Object.fromEntries(
    Object.entries(errors).map(([status, description]) => [
      status,
      { description, content: { 'application/json': { schema: ErrorBody } } },
    ]),
  ),
});

const toOperation = (route: AdminRoute): ZodOpenApiOperationObject => {
  const { pathParameters: path, queryParameters: query, request } = route;
  const operation: ZodOpenApiOperationObject = {
    operationId: route.id,
    summary: route.summary,
    tags: [route.role],
    requestParams: route.takesIdentity === true ? { path, query, header: identityHeader } : { path, query },
    responses: responsesOf(route),
  };
  if (request === null) return operation;
  return { ...operation, requestBody: { required: true, content: { 'application/json': { schema: request } } } };
};

/** Describes every route of the administration. */
export const createAdminOpenApi = (routes: readonly AdminRoute[], basePath: string): AdminOpenApi => {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const route of routes)
    paths[route.path] = { ...paths[route.path], [route.method.toLowerCase()]: toOperation(route) };
  return createDocument({
    openapi: '3.1.0',
    info: { title: 'Administration of a metered AI gateway', version: '1.0.0' },
    servers: [{ url: basePath === '' ? '/' : basePath }],
    security: [{ bearer: [] }],
    tags: [
      { name: 'operator', description: 'For operators.' },
      { name: 'owner', description: 'For operators, and for owners of what is their own.' },
    ],
    paths,
    components: { securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } } },
  });
};
