import { jsonAnswer } from './json-answer.ts';
import type { GatewayResponse } from './gateway-request.ts';
import type { Service } from './service.ts';

const documents = new Map<string, Promise<string>>();

/** Built on the first question, as most processes are never asked. */
const documentOf = ({ brand, basePath }: Service): Promise<string> => {
  const name = `${brand} ${basePath}`;
  const known = documents.get(name);
  if (known !== undefined) return known;
  const made = import('@tollgate/contract/openapi').then(({ createOpenApi }) =>
    JSON.stringify(createOpenApi({ brand, basePath })),
  );
  documents.set(name, made);
  return made;
};

/** GET /openapi.json: the contract, derived from the route table (versioning:openapi:*). */
export const getOpenApi = async (service: Service): Promise<GatewayResponse> =>
  jsonAnswer(service, await documentOf(service));
