// What the administration sends, as far as the page shows it. Credits are decimal texts, times are ISO 8601.

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: string;
  readonly limits: Readonly<Record<string, number>> | null;
}

export interface Wallet {
  readonly balance_credits: string;
  readonly reserved_credits: string;
}

export interface Project {
  readonly id: string;
  readonly account_id: string;
  readonly name: string;
  readonly status: string;
  readonly created_at: string;
  readonly limits: Readonly<Record<string, number>> | null;
}

export interface Key {
  readonly id: string;
  readonly project_id: string;
  readonly account_id: string;
  readonly name: string;
  readonly model: string | null;
  readonly models: readonly string[] | null;
  readonly limits: Readonly<Record<string, number>> | null;
  readonly cap: { readonly amount_credits: string; readonly window: string } | null;
  readonly status: string;
  readonly created_at: string;
  readonly expires_at: string | null;
  readonly last_used_at: string | null;
}

export interface CreatedKey extends Key {
  /** Its text, which is sent this once. */
  readonly key: string;
}

export interface Measured {
  readonly unit: string;
  readonly quantity: number;
}

export interface Attempt {
  /** Absent where the visitor may not know it. */
  readonly provider?: string;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly status?: number | null;
  readonly outcome: string;
  readonly upstream_id?: string;
}

export interface Operation {
  readonly id: string;
  readonly account_id: string;
  readonly project_id: string;
  readonly key_id: string;
  readonly kind: string;
  readonly model: string;
  readonly state: string;
  readonly created_at: string;
  readonly ended_at: string | null;
  readonly hold_credits: string;
  readonly charged_credits: string;
  readonly pending_credits: string | null;
  readonly error_code: string | null;
  readonly service_tier: string | null;
  readonly served_tier: string | null;
  readonly usage: readonly Measured[] | null;
  readonly usage_at_least?: readonly Measured[] | null;
  readonly attempts?: readonly Attempt[];
  readonly identity: string | null;
}

export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly operation_id: string;
  readonly project_id: string;
  readonly event_type: string;
  readonly status: string;
  readonly attempts: number;
  readonly http_status: number | null;
  readonly due_at: string | null;
  readonly created_at: string;
}

export type LifeEvent =
  | { readonly kind: 'opened'; readonly at: string; readonly hold_credits: string | null }
  | { readonly kind: 'attempt'; readonly at: string; readonly attempt: Attempt }
  | {
      readonly kind: 'verdict';
      readonly at: string;
      readonly verdict: { readonly kind: string; readonly by: string | null; readonly reason: string | null };
    }
  | {
      readonly kind: 'ended';
      readonly at: string;
      readonly state: string;
      readonly charged_credits: string;
      readonly error_code: string | null;
    }
  | { readonly kind: 'delivery'; readonly at: string; readonly delivery: Delivery };

export interface OperationLife {
  readonly operation: Operation;
  readonly events: readonly LifeEvent[];
  readonly uncertain: { readonly kind: string; readonly amount_credits?: string } | null;
  readonly event_pending: boolean;
}

export interface Schedule {
  readonly id: string;
  readonly project_id: string;
  readonly display_name: string | null;
  readonly schedule: string;
  readonly time_zone: string;
  readonly status: string;
  readonly next_run_at: string | null;
  readonly last_run_at: string | null;
  readonly paused_code: string | null;
}

export interface Entry {
  readonly id: string;
  readonly seq: number;
  readonly kind: string;
  readonly amount_credits: string;
  readonly balance_credits: string;
  readonly created_at: string;
  readonly model: string | null;
  readonly key_id: string | null;
  readonly reference: string | null;
  readonly operation_id: string | null;
}

export interface Anomaly {
  readonly id: string;
  readonly operation_id: string;
  readonly account_id: string;
  readonly code: string;
  readonly created_at: string;
}
