export { describeStorage, storageCases, type TestRunner } from './describe-storage.ts';
export {
  fakeCompletion,
  startFakeOpenai,
  type FakeOpenai,
  type FakeOpenaiBehaviour,
  type FakeOpenaiOptions,
  type FakeOpenaiRequest,
} from './fake-openai-upstream.ts';
export {
  scriptedGeneration,
  scriptedProvider,
  type ScriptedCall,
  type ScriptedProvider,
  type ScriptedProviderOptions,
  type ScriptedStep,
} from './scripted-provider.ts';
export { runStorageCase, type OpenedStorage, type StorageCase, type StorageWorld } from './storage-case.ts';
export { describeProvider } from './describe-provider.ts';
export { providerCases, type ProviderCase } from './provider-cases.ts';
export { providerFaults, type ProviderFault } from './provider-faults.ts';
export { providerScenarios, type ProviderScenario, type ProviderUnderTest } from './provider-under-test.ts';
