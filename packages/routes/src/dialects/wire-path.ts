/** What clients have between the address of a server and the path of a method. */
const family = /^(?:\/openai)?\/v1(?=\/)/;

/**
 * A path below the base path of the contract, where a client wrote it with the version of its own service: `/v1/messages`,
 * `/openai/v1/responses` or either of them below the base path. Any other path is returned as it is.
 */
export const wirePath = (basePath: string, path: string): string => {
  const isBelow = path.startsWith(`${basePath}/`);
  const rest = isBelow ? path.slice(basePath.length) : path;
  return family.test(rest) ? `${basePath}${rest.replace(family, '')}` : path;
};
