export { computerUse } from './computer-use.ts';
export { codeExecution, type CodeExecutionOptions } from './code-execution.ts';
export {
  createPythonSandbox,
  type PythonOutcome,
  type PythonProgram,
  type PythonSandbox,
  type PythonStop,
} from './python/python-sandbox.ts';
export type { PythonSandboxOptions } from './python/python-settings.ts';
export type { WorkFile } from './python/work-file.ts';
export { urlContext, type UrlContextOptions } from './url-context.ts';
export { mcpServer, type McpServerOptions } from './mcp-server.ts';
export type { McpLimits } from './mcp/mcp-limits.ts';
export {
  maps,
  type FoundPlace,
  type MapPosition,
  type MapsOptions,
  type PlaceFinder,
  type PlacesAnswer,
} from './maps.ts';
export { googlePlaces, type GooglePlacesOptions } from './maps/google-places.ts';
export { braveSearch, type BraveSearchOptions } from './search/brave-search.ts';
export {
  webSearch,
  type FoundPage,
  type SearchAnswer,
  type SearchEngine,
  type WebSearchOptions,
} from './web-search.ts';
