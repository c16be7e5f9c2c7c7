/** Who looks at the console, as the administration knows them. */
export interface Visitor {
  readonly role: 'operator' | 'owner';
  readonly name: string;
  readonly account_id: string | null;
  readonly project_ids: readonly string[] | null;
}
