import { clientOrigin } from './client-origin.ts';
import type { GatewayRequest, GatewayResponse } from './gateway-request.ts';
import { jsonAnswer } from './json-answer.ts';
import type { Service } from './service.ts';

/** The text of a description before and behind the address that it names as its server. */
interface DescriptionText {
  readonly before: string;
  readonly behind: string;
}

const descriptions = new Map<string, Promise<DescriptionText>>();

/** Stands for the address while the description is made, which is asked for by as many names as a host has. */
const address = 'server:/';

const textOf = async ({ brand, basePath, openApiNeedsKey }: Service): Promise<DescriptionText> => {
  const { createOpenApi } = await import('@tollgate/contract/openapi');
  const document = createOpenApi({ brand, basePath, needsKey: openApiNeedsKey });
  const text = JSON.stringify({ ...document, servers: [{ url: address }] });
  const at = text.indexOf(JSON.stringify(address));
  return { before: text.slice(0, at), behind: text.slice(at + JSON.stringify(address).length) };
};

/** Built on the first question, as most processes are never asked. */
const descriptionOf = (service: Service): Promise<DescriptionText> => {
  const { brand, basePath, openApiNeedsKey } = service;
  const name = `${brand} ${basePath} ${openApiNeedsKey}`;
  const known = descriptions.get(name);
  if (known !== undefined) return known;
  const made = textOf(service);
  descriptions.set(name, made);
  return made;
};

/** The base under which it was asked; by its path alone where the host is not known. */
const serverUrl = ({ basePath }: Service, request: GatewayRequest): string => {
  const url = `${clientOrigin(request) ?? ''}${basePath}`;
  return url === '' ? '/' : url;
};

/** GET /openapi.json: the contract, derived from the route table (versioning:openapi:*, G71). */
export const getOpenApi = async (service: Service, request: GatewayRequest): Promise<GatewayResponse> => {
  const { before, behind } = await descriptionOf(service);
  return jsonAnswer(service, `${before}${JSON.stringify(serverUrl(service, request))}${behind}`);
};
