/** A broken invariant of `design`, named so that an alert can be made of it. */
export interface Violation {
  readonly rule:
    | 'entries_sum_to_balance'
    | 'holds_sum_to_reserved'
    | 'reserved_within_balance'
    | 'entries_gap_free'
    | 'entries_carry_balance'
    | 'no_debit_on_failed'
    | 'no_hold_on_ended'
    | 'debits_match_charge'
    | 'one_debit_without_captures'
    | 'pending_only_while_uncertain'
    | 'remainder_is_carried'
    | 'charge_follows_verdict'
    | 'usage_matches_rows'
    | 'usage_matches_entries';
  readonly accountId: string;
  readonly detail: string;
}
