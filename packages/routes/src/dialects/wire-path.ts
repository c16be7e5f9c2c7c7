import { belowBase } from '../below-base.ts';

/** What clients have between the address of a server and the path of a method. */
const family = /^(?:\/openai(?:\/v1)?|\/v1)(?=\/)/;

const below = (basePath: string, path: string): string => belowBase(basePath, path) ?? path;

/**
 * A path below the base path of the contract, where a client wrote it with the version of its own service: `/v1/messages`,
 * `/openai/v1/responses`, `/openai/files`, or any of them below the base path. Any other path is returned as it is.
 */
export const wirePath = (basePath: string, path: string): string => {
  const rest = below(basePath, path);
  return family.test(rest) ? `${basePath}${rest.replace(family, '')}` : path;
};

/** A path that names its model, as clients of Azure write it. */
export interface DeploymentPath {
  readonly path: string;
  readonly deployment: string;
}

const deploymentShape =
  /^\/openai\/deployments\/([\w.:-]{1,128})(\/(?:chat\/completions|completions|embeddings|responses|images\/(?:generations|edits)|audio\/(?:speech|transcriptions|translations)))$/;

/** The path of the contract, and the model that `/openai/deployments/{model}/…` names; null for another path. */
export const deploymentPath = (basePath: string, path: string): DeploymentPath | null => {
  const [, deployment, method] = deploymentShape.exec(below(basePath, path)) ?? [];
  return deployment === undefined || method === undefined ? null : { path: `${basePath}${method}`, deployment };
};

/** Whether a path is one of Azure's, whose clients have a header of their own for the key. */
export const isAzurePath = (basePath: string, path: string): boolean => below(basePath, path).startsWith('/openai/');
