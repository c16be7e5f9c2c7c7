/** What of a path stands below the base path, with its slash; null for another path. */
export const belowBase = (basePath: string, path: string): string | null =>
  path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : null;
