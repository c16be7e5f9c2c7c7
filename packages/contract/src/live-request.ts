import { z } from 'zod';
import { GatewayError } from './gateway-error.ts';
import { isDeeperThan } from './json-depth.ts';
import { LiveConfig } from './live-config.ts';
import { liveBounds } from './limits.ts';
import { parseStrictBody, requireRecord } from './strict-body.ts';

/** The body of POST /live as the contract publishes it [live:create:body]. */
export const LiveRequestBody = z.strictObject({ config: LiveConfig });

/** A checked request for a session. */
export type LiveRequest = Readonly<z.infer<typeof LiveRequestBody>>;

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** A declared name stands for one function, whose schema stands in one form. */
const checkDeclarations = ({ tools = [] }: LiveConfig): void => {
  const names = new Set<string>();
  for (const { name, parameters, parametersJsonSchema } of tools.flatMap((tool) => tool.functionDeclarations ?? [])) {
    if (names.has(name)) throw invalid('The field config.tools declares a function twice.');
    if (parameters !== undefined && parametersJsonSchema !== undefined)
      throw invalid('The field config.tools gives a function two schemas.');
    names.add(name);
  }
};

/** Reads the parsed JSON body of POST /live. Throws nothing but a `GatewayError` whose message names the field. */
export const parseLiveRequest = (value: unknown): LiveRequest => {
  if (isDeeperThan(requireRecord(value), liveBounds.jsonDepthMax)) throw invalid('The body nests too deep.');
  const request = parseStrictBody(LiveRequestBody, value);
  checkDeclarations(request.config);
  return request;
};
