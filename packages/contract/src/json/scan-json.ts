import { GatewayError } from '../http/gateway-error.ts';
import { bodyBounds } from '../limits.ts';
import { createJsonScanner, type JsonBounds, type JsonBreach } from './json-scanner.ts';

const breachSentence = (breach: JsonBreach, { nodesMax, namesMax, depthMax }: JsonBounds): string => {
  switch (breach) {
    case 'nodes':
      return (
        `The body holds more than ${nodesMax} values and field names (bodyNodesMax); ` +
        `accepted are at most ${nodesMax}, whatever its bytes.`
      );
    case 'names':
      return (
        `The body holds more than ${namesMax} field names that differ (a tenth of bodyNodesMax); ` +
        `accepted are at most ${namesMax}, whatever its bytes.`
      );
    case 'depth':
      return `The body is nested more than ${depthMax} levels deep; accepted are at most ${depthMax}.`;
  }
};

/** The error for JSON that holds more than may be parsed. */
export const jsonBreachError = (breach: JsonBreach, bounds: JsonBounds): GatewayError =>
  new GatewayError(breach === 'depth' ? 'invalid_request' : 'body_too_large', {
    detail: breachSentence(breach, bounds),
  });

/** The bounds of a body of so many values and field names, of which a tenth may be names that differ. */
export const jsonBounds = (nodesMax: number): JsonBounds => ({
  nodesMax,
  namesMax: Math.floor(nodesMax / 10),
  depthMax: bodyBounds.depthMax,
});

/** What was found in JSON text that is within its bounds. */
export interface ScannedJson {
  readonly nodes: number;
  readonly hasOddNumber: boolean;
}

/** Goes through JSON text that is there whole; a breach where it must not be parsed. */
export const scanJson = (bytes: Uint8Array, bounds: JsonBounds): ScannedJson | JsonBreach => {
  const scanner = createJsonScanner([], bounds);
  const { breach } = scanner.scan(bytes, 0);
  return breach ?? { nodes: scanner.nodes(), hasOddNumber: scanner.hasOddNumber() };
};
