export {
  startFakeAnthropic,
  type FakeAnthropic,
  type FakeAnthropicBehaviour,
  type FakeAnthropicRequest,
} from './fakes/fake-anthropic-upstream.ts';
export { fakeAnthropicError, fakeMessage, fakeMessageEvents, fakeMessageUsage } from './fakes/fake-anthropic-wire.ts';
export { fakeGeminiVideo, fakeInteractionUsage } from './fakes/fake-gemini-jobs.ts';
export {
  fakeGeminiEvents,
  startFakeGemini,
  type FakeGemini,
  type FakeGeminiBehaviour,
  type FakeGeminiOptions,
  type FakeGeminiRequest,
} from './fakes/fake-gemini-upstream.ts';
export type { FakeGeminiFile } from './fakes/fake-gemini-files.ts';
export { fakeGeminiError, fakeGeminiResponse, fakeGeminiUsage } from './fakes/fake-gemini-wire.ts';
export {
  fakeItemEvents,
  fakeResponseMessage,
  fakeResponse,
  fakeResponseBegun,
  fakeResponseEvents,
} from './fakes/fake-openai-responses.ts';
export { fakeChunk, fakeChunks, fakeCompletion, fakeEmbeddings } from './fakes/fake-openai-wire.ts';
export {
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
  type FakeOpenaiOptions,
  type FakeOpenaiRequest,
} from './fakes/fake-openai-upstream.ts';
export {
  scriptedProvider,
  type ScriptedCall,
  type ScriptedEmbedCall,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedVideoCall,
} from './fakes/scripted-provider.ts';
export { sampleCaller } from './fakes/sample-caller.ts';
export { scriptedUnderTest } from './fakes/scripted-under-test.ts';
export { scriptedGeneration, type ScriptedAnswer, type ScriptedStep } from './fakes/scripted-step.ts';
export { scriptedVideo, scriptedVideoBytes } from './fakes/scripted-videos.ts';
export { fakeClock, type FakeClock } from './fakes/fake-clock.ts';
export { startFakeNameServer, type FakeNameServer, type NameAnswer } from './fakes/fake-name-server.ts';
export { runFaulted, type Fault, type FaultedCall, type Faults } from './fakes/fault.ts';
export { createFaultyIdentities } from './fakes/faulty-identities.ts';
export { createFaultyLedger } from './fakes/faulty-ledger.ts';
export { createFaultyStorage } from './fakes/faulty-storage.ts';
export { createMemoryIdentities, type MemoryIdentities } from './fakes/memory-identities.ts';
export {
  createMemoryLedger,
  type MemoryLedger,
  type MemoryLedgerOperation,
  type MemoryLedgerWallet,
} from './fakes/memory-ledger.ts';
export {
  startFakeGeminiLive,
  type FakeGeminiLive,
  type FakeLiveConnection,
  type FakeLiveOpening,
} from './fakes/fake-gemini-live.ts';
export {
  scriptedLive,
  type ScriptedLive,
  type ScriptedLiveOpening,
  type ScriptedLiveSession,
} from './fakes/scripted-live.ts';
export { pdfOf, samplePdf } from './fakes/sample-pdf.ts';
