import type { GenerationCall, Sampling, Thinking } from '@tollgate/provider';

/**
 * What an adapter does with a setting, and a value of it that says something. `carried`: the upstream gets it. `refused`: a call
 * with it is refused. `unseen`: the upstream of this family needs nothing of it.
 */
export type SettingFate<Value> =
  | { readonly fate: 'carried' | 'refused'; readonly value: Value }
  | { readonly fate: 'unseen'; readonly value: Value; readonly why: string };

type FatesOf<Settings> = { readonly [Name in keyof Settings]-?: SettingFate<NonNullable<Settings[Name]>> };

/** The fate of every setting of a call. A setting that is added to the interface does not compile until its fate is decided. */
export interface SettingFates {
  readonly call: FatesOf<GenerationCall>;
  readonly sampling: FatesOf<Sampling>;
  readonly thinking: FatesOf<Thinking>;
}

/** One setting, and a plain call that has it besides. */
export interface SettingRow {
  readonly name: string;
  readonly fate: SettingFate<unknown>['fate'];
  readonly changed: GenerationCall;
}

/** A row for each setting of a call, for the tests of an adapter: whether the request differs from that of the plain call. */
export const settingRows = (plain: GenerationCall, fates: SettingFates): readonly SettingRow[] => [
  ...Object.entries(fates.call).map(([name, { fate, value }]) => ({
    name,
    fate,
    changed: { ...plain, [name]: value },
  })),
  ...Object.entries(fates.sampling).map(([name, { fate, value }]) => ({
    name: `sampling.${name}`,
    fate,
    changed: { ...plain, sampling: { [name]: value } },
  })),
  ...Object.entries(fates.thinking).map(([name, { fate, value }]) => ({
    name: `thinking.${name}`,
    fate,
    changed: { ...plain, thinking: { [name]: value } },
  })),
];
