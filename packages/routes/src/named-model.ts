import { GatewayError } from '@tollgate/contract';
import type { GatewayRequest } from './gateway-request.ts';

type Named = Pick<GatewayRequest, 'deployment'>;

/** The model of a call: what the body names, or the path. Refuses two that differ. */
export const namedModel = ({ deployment }: Named, model: string | undefined): string | undefined => {
  if (deployment === undefined || model === undefined || model === deployment) return model ?? deployment;
  throw new GatewayError('invalid_request', {
    detail: 'The field model names another model than the path; accepted is the one of the path, or none.',
  });
};

/** A path as part of the identity of a request, with the model that the path named. */
export const identityPath = ({ deployment }: Named, path: string): string =>
  deployment === undefined ? path : `/deployments/${deployment}${path}`;
