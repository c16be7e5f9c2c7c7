/** A route of the contract, as in `POST /files`. */
export type RouteName = `${'GET' | 'POST' | 'PATCH' | 'DELETE'} /${string}`;
/** A package of the architecture that does not exist yet. */
export type PackageName = `@tollgate/${string}`;

/** One rule of the contract or of the decisions about it. */
interface Rule {
  readonly id: string;
  readonly area: string;
  /** Whether the contract says it, or a decision about what the contract leaves open. */
  readonly kind: 'spec' | 'decision';
  /** Where it stands: lines of the contract, sections of the decisions. */
  readonly source: string;
  readonly rule: string;
  /** How a test can see it. */
  readonly observe: string;
}

export type Requirement =
  /** At least one test shows the whole of `observe`, and names the id in its title. */
  | (Rule & { readonly status: 'verified' })
  /** Not shown yet, or not wholly: no title may name the id. */
  | (Rule & { readonly status: 'open'; readonly reason: string; readonly needs: RouteName | PackageName });
