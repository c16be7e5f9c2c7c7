export { describeStorage, storageCases, type TestRunner } from './describe-storage.ts';
export { fakeGeminiVideo, fakeInteractionUsage } from './fake-gemini-jobs.ts';
export {
  fakeGeminiEvents,
  startFakeGemini,
  type FakeGemini,
  type FakeGeminiBehaviour,
  type FakeGeminiOptions,
  type FakeGeminiRequest,
} from './fake-gemini-upstream.ts';
export type { FakeGeminiFile } from './fake-gemini-files.ts';
export { fakeGeminiError, fakeGeminiResponse, fakeGeminiUsage } from './fake-gemini-wire.ts';
export { fakeChunk, fakeChunks, fakeCompletion, fakeEmbeddings } from './fake-openai-wire.ts';
export {
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
  type FakeOpenaiOptions,
  type FakeOpenaiRequest,
} from './fake-openai-upstream.ts';
export {
  scriptedProvider,
  type ScriptedCall,
  type ScriptedEmbedCall,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedVideoCall,
} from './scripted-provider.ts';
export { scriptedUnderTest } from './scripted-under-test.ts';
export { scriptedGeneration, type ScriptedAnswer, type ScriptedStep } from './scripted-step.ts';
export { scriptedVideo, scriptedVideoBytes } from './scripted-videos.ts';
export { runStorageCase, type OpenedStorage, type StorageCase, type StorageWorld } from './storage-case.ts';
export { checkHistory, type HistoryReport } from './history-checker.ts';
export type { HistoryViolation, LedgerCall, LedgerReply, RecordedCall, WalletSums } from './ledger-history.ts';
export { describeProvider } from './describe-provider.ts';
export type { ProviderCase, ProviderMethod } from './provider-case.ts';
export { providerCases } from './provider-cases.ts';
export type { ProviderFault } from './provider-fault.ts';
export { providerFaults } from './provider-faults.ts';
export {
  batchScenarios,
  cacheScenarios,
  countScenarios,
  embedScenarios,
  fileScenarios,
  providerScenarios,
  streamScenarios,
  interactionScenarios,
  videoScenarios,
  type BatchScenario,
  type CacheScenario,
  type CountScenario,
  type EmbedScenario,
  type FileScenario,
  type ProviderScenario,
  type ProviderUnderTest,
  type StreamScenario,
  type InteractionScenario,
  type VideoScenario,
} from './provider-under-test.ts';
export { fakeClock, type FakeClock } from './fake-clock.ts';
export { startFakeNameServer, type FakeNameServer, type NameAnswer } from './fake-name-server.ts';
export { runFaulted, type Fault, type FaultedCall, type Faults } from './fault.ts';
export { createFaultyIdentities } from './faulty-identities.ts';
export { createFaultyLedger } from './faulty-ledger.ts';
export { createFaultyStorage } from './faulty-storage.ts';
export { createMemoryIdentities, type MemoryIdentities } from './memory-identities.ts';
export {
  createMemoryLedger,
  type MemoryLedger,
  type MemoryLedgerOperation,
  type MemoryLedgerWallet,
} from './memory-ledger.ts';
export { describeGateway, runGatewayCase } from './gateway/describe-gateway.ts';
export type { GatewayCase } from './gateway/gateway-case.ts';
export { gatewayCases } from './gateway/gateway-cases.ts';
export type {
  GatewayOpening,
  GatewaySettings,
  GatewayUnderTest,
  OpenGateway,
  WalletUnderTest,
} from './gateway/gateway-under-test.ts';
export type { GatewayWorld } from './gateway/gateway-world.ts';
export {
  startFakeGeminiLive,
  type FakeGeminiLive,
  type FakeLiveConnection,
  type FakeLiveOpening,
} from './fake-gemini-live.ts';
export { dialSocket, socketPair, type ServerSocket, type SuiteSocket } from './gateway/suite-socket.ts';
export {
  scriptedLive,
  type ScriptedLive,
  type ScriptedLiveOpening,
  type ScriptedLiveSession,
} from './scripted-live.ts';
export { pdfOf, samplePdf } from './sample-pdf.ts';
