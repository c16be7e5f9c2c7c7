/** What a project keeps (`id` is the project's), counted in the steps that change it, so that a quota is one look. */
export interface ProjectUsageRecord {
  readonly id: string;
  /** A number by name of quota; what is absent is 0. */
  readonly used: Readonly<Record<string, number>>;
  /** Limits of this project alone, by name, in place of the host's; null where it has none. */
  readonly overrides: Readonly<Record<string, number | null>> | null;
  /** Raised by every change. */
  readonly revision: number;
}
