import { z } from 'zod';
import { GatewayError } from '../http/gateway-error.ts';
import { checkClientSchema } from '../fields/client-schema.ts';
import { isDeeperThan } from '../json/json-depth.ts';
import { LiveConfig } from './live-config.ts';
import { liveBounds } from '../limits.ts';
import { parseStrictBody, requireRecord } from '../http/strict-body.ts';

// live:create:body
/** The body of POST /live as the contract publishes it. */
export const LiveRequestBody = z.strictObject({ config: LiveConfig });

/** A checked request for a session. */
export type LiveRequest = Readonly<z.infer<typeof LiveRequestBody>>;

const invalid = (detail: string): GatewayError => new GatewayError('invalid_request', { detail });

/** A declared name stands for one function, whose schema stands in one form. */
const checkDeclarations = ({ tools = [] }: LiveConfig): void => {
  const names = new Set<string>();
  for (const { name, parameters, parametersJsonSchema } of tools.flatMap((tool) => tool.functionDeclarations ?? [])) {
    if (names.has(name)) throw invalid('The field config.tools declares a function twice; accepted is each name once.');
    if (parameters !== undefined && parametersJsonSchema !== undefined)
      throw invalid('The field config.tools gives a function two schemas; accepted is one.');
    names.add(name);
    checkClientSchema(parameters, ['config', 'tools', name, 'parameters']);
    checkClientSchema(parametersJsonSchema, ['config', 'tools', name, 'parametersJsonSchema']);
  }
};

/** Reads the parsed JSON body of POST /live. Throws nothing but a `GatewayError` whose message names the field. */
export const parseLiveRequest = (value: unknown): LiveRequest => {
  if (isDeeperThan(requireRecord(value), liveBounds.jsonDepthMax))
    throw invalid(
      `The body is nested more than ${liveBounds.jsonDepthMax} levels deep; accepted are at most ${liveBounds.jsonDepthMax}.`,
    );
  const request = parseStrictBody(LiveRequestBody, value);
  checkDeclarations(request.config);
  return request;
};
