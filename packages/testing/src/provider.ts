export { describeProvider } from './provider/describe-provider.ts';
export type { TestContext, TestRunner } from './test-runner.ts';
export type { ProviderCase, ProviderMethod, ProviderNeed } from './provider/provider-case.ts';
export { BrokenPromise } from './broken-promise.ts';
export { providerPromises, type PromiseId } from './provider/provider-promises.ts';
export { providerCases } from './provider/provider-cases.ts';
export type { ProviderFault } from './provider/provider-fault.ts';
export { providerFaults } from './provider/provider-faults.ts';
export {
  batchScenarios,
  cacheScenarios,
  conductScenarios,
  countScenarios,
  embedScenarios,
  fileScenarios,
  longCity,
  refusalWords,
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
} from './provider/provider-under-test.ts';
export {
  plainCall,
  settingRows,
  type SettingFate,
  type SettingFates,
  type SettingRow,
} from './provider/setting-fates.ts';
