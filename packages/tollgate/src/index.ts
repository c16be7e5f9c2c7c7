export { ConfigurationError, isConfigurationError, type ConfigurationFault } from '@tollgate/contract/configuration';
export { consoleLogger } from './console-logger.ts';
export { createGateway, type Gateway } from './create-gateway.ts';
export type { GatewayOptions } from './gateway-options.ts';
export type { HookOptions } from './hook-options.ts';
export type { RequestLine } from './request-log.ts';
export { importedKeys } from './imported-keys.ts';
export { testModeTariff } from './test-mode-tariff.ts';
export { defaultCatalog, type CatalogModel } from '@tollgate/contract';
export {
  creditsFromMicros,
  microsFromCredits,
  silentLogger,
  type CallerLimits,
  type Health,
  type LevelLimits,
  type LimitQuestion,
  type LimitTicket,
  type LimitVerdict,
  type Logger,
  type Observer,
  type TariffInput,
  type UsageLimiter,
} from '@tollgate/engine';
export {
  attachLive,
  closeOnSignal,
  fetchListener,
  preferEventLoop,
  serve,
  serveProcesses,
  toListenError,
  toNodeListener,
  type AttachedLive,
  type AttachLiveOptions,
  type FetchHandler,
  type FetchListenerOptions,
  type RunningServer,
  type ServeOptions,
  type ServeProcessesOptions,
  type ServingProcesses,
} from '@tollgate/node';
export type {
  AnswerPart,
  AskedGeneration,
  AuthenticateCaller,
  CallerQuestion,
  CallStep,
  GenerationDialect,
  KnownCaller,
  ModelQuestion,
  RequestDecision,
  RequestQuestion,
  SelectModel,
  SettledAnswer,
  StreamWriter,
} from '@tollgate/routes';
export { pdfText } from '@tollgate/pdf';
export { anthropicProvider } from '@tollgate/provider-anthropic';
export { googleProvider } from '@tollgate/provider-google';
export { openaiProvider } from '@tollgate/provider-openai';
export { sandboxProvider } from '@tollgate/provider-sandbox';
export { sqliteStorage } from '@tollgate/storage-sqlite';
