export { attachLive, type AttachedLive, type AttachLiveOptions, type LiveEndpoint } from './attach-live.ts';
export {
  createAddressGuard,
  type AddressGuard,
  type AddressGuardOptions,
  type AddressVerdict,
  type CheckedUrl,
} from './egress/address-guard.ts';
export {
  createAddressResolver,
  type AddressResolverOptions,
  type ResolveAddresses,
} from './egress/address-resolver.ts';
export type { ConnectChecked, TlsTrust } from './egress/connect-checked.ts';
export { egressChecks } from './egress/egress-options-check.ts';
export type { EgressRefusal, EgressScheme } from './egress/egress-url.ts';
export type { EgressAgents } from './egress/exchange.ts';
export { createGuardedFetch, type GuardedFetch, type GuardedFetchLimits } from './egress/guarded-fetch.ts';
export {
  createEgress,
  type Egress,
  type EgressAdmission,
  type EgressOptions,
  type GuardedRequest,
  type NotAnswered,
  type UnreachableReason,
} from './egress/guarded-request.ts';
export type { OpenAnswer } from './egress/open-answer.ts';
export { readAnswer, type ReadAnswer } from './egress/read-answer.ts';
export { fetchListener, type FetchHandler, type FetchListenerOptions } from './fetch-listener.ts';
export { imageFetcher, imageFetcherCheck, type ImageFetcherOptions } from './image-fetcher.ts';
export { toListenError } from './listen-error.ts';
export type { NodeLimits } from './node-limits.ts';
export { preferEventLoop } from './prefer-event-loop.ts';
export { closeOnSignal, serve, type RunningServer, type Servable, type ServeOptions } from './serve.ts';
export type { ProcessDeath } from './process-members.ts';
export { processesMax, serveProcesses, type ServeProcessesOptions, type ServingProcesses } from './serve-processes.ts';
export { createStructureJudge, type RunningStructureJudge, type StructureJudgeLimits } from './structure-judge.ts';
export { toNodeListener, type NodeListener } from './to-node-listener.ts';
export { webhookSender, webhookSenderChecks, type WebhookSenderOptions } from './webhook-sender.ts';
