import { z } from 'zod';
import { EnvironmentFileList, environmentSchemas } from './environment-record.ts';
import { EnvironmentRequestBody } from './environment-request.ts';
import { limits } from '../../limits.ts';
import { resourceCreationStatuses, resourceRoutes } from '../resource-routes.ts';
import type { Route } from '../../http/route.ts';

/** The rows of environments. They ask no model, and cost nothing. */
export const environmentRoutes = [
  {
    id: 'createEnvironment',
    method: 'POST',
    path: '/environments',
    summary: 'Create an environment',
    errorForm: 'object',
    charged: true,
    takesIdentity: true,
    bodyBytesMax: limits.bodyBytesMax.environments,
    family: null,
    pathParameters: null,
    request: EnvironmentRequestBody,
    success: {
      description: 'The environment, which can be used at once.',
      contents: { 'application/json': environmentSchemas.record },
    },
    statuses: resourceCreationStatuses,
  },
  ...resourceRoutes(
    { one: 'Environment', many: 'Environments', path: '/environments', noun: 'environment' },
    environmentSchemas,
  ),
  {
    id: 'listEnvironmentFiles',
    method: 'GET',
    path: '/environments/{id}/files',
    summary: 'List or download the files of an environment',
    errorForm: 'object',
    charged: false,
    takesIdentity: false,
    bodyBytesMax: null,
    family: null,
    pathParameters: z.object({ id: z.uuid() }),
    queryParameters: z.object({
      path: z.string().optional().meta({ description: 'Relative; empty or left out it is the root.' }),
      recursive: z.boolean().default(false),
      cursor: z.string().optional().meta({ description: 'The next_cursor of the page before.' }),
      download: z.boolean().default(false),
    }),
    request: null,
    success: {
      description: 'One page of entries by path, or with download the bytes of the file.',
      contents: {
        'application/json': () => EnvironmentFileList,
        'application/octet-stream': () => z.string().meta({ contentEncoding: 'binary' }),
      },
    },
    statuses: [200, 206, 401, 402, 403, 404, 416, 422, 429, 503],
  },
] as const satisfies readonly Route[];
