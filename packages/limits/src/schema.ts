/** A name as SQL. */
const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Tells the schemas of limits apart from other users of advisory locks; its second number is a hash of the name. */
const lockNumber = 1_280_265_541;

const nowUs = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** A bucket that has been full for so long is forgotten: all that was taken of it has come back. */
const idleUs = 60_000_000;

/**
 * Everything that the limits keep, made where it is missing. The time is `clock_timestamp()`, as `now()` stands still within a
 * transaction. Commits are asynchronous: what a crash of the server loses is some milliseconds of counting. Half of each page is
 * left free, so that an update stays within it and touches no index.
 */
const tables = (schema: string): string => `
create schema if not exists ${schema};
create table if not exists ${schema}.bucket (
  id text collate "C" primary key,
  back_us bigint not null
) with (fillfactor = 50);
create table if not exists ${schema}.lease (
  bucket_id text collate "C" not null,
  ticket text collate "C" not null,
  until_us bigint not null,
  primary key (bucket_id, ticket)
) with (fillfactor = 50);
`;

/** Takes from all buckets or from none. Rows are locked in the order of their ids, so that no two calls wait for each other. */
const takeFunction = (schema: string): string => `
create or replace function ${schema}.take_v1(
  p_ids text[], p_increments bigint[], p_bursts bigint[], p_places bigint[], p_ticket text, p_lease_us bigint
) returns table (o_taken boolean, o_now_us bigint, o_backs bigint[], o_running bigint[]) language plpgsql as $$
declare v_ids text[]; v_backs bigint[]; v_running bigint;
begin
  perform set_config('synchronous_commit', 'off', true);
  select array_agg(l.id), array_agg(l.back_us) into v_ids, v_backs
    from (select b.id, b.back_us from ${schema}.bucket b where b.id = any(p_ids) order by b.id for update) l;
  if coalesce(cardinality(v_ids), 0) < cardinality(p_ids) then
    return;
  end if;
  o_now_us := ${nowUs};
  o_taken := true;
  for i in 1..cardinality(p_ids) loop
    o_backs[i] := v_backs[array_position(v_ids, p_ids[i])];
    if p_places[i] > 0 then
      select count(*) into v_running
        from ${schema}.lease l where l.bucket_id = p_ids[i] and l.until_us > o_now_us;
      o_running[i] := v_running;
      o_taken := o_taken and v_running < p_places[i];
    else
      o_running[i] := 0;
      o_taken := o_taken and greatest(o_backs[i], o_now_us) + p_increments[i] - o_now_us <= p_bursts[i];
    end if;
  end loop;
  if o_taken then
    for i in 1..cardinality(p_ids) loop
      o_backs[i] := greatest(o_backs[i], o_now_us) + p_increments[i];
    end loop;
    update ${schema}.bucket b set back_us = u.back_us
      from unnest(p_ids, o_backs) as u(id, back_us) where b.id = u.id;
    insert into ${schema}.lease (bucket_id, ticket, until_us)
      select u.id, p_ticket, o_now_us + p_lease_us from unnest(p_ids, p_places) as u(id, places) where u.places > 0;
  end if;
  return next;
end $$;
`;

/** Corrects what was taken, and ends the leases of a ticket. */
const giveFunction = (schema: string): string => `
create or replace function ${schema}.give_v1(
  p_ids text[], p_changes bigint[], p_leased text[], p_ticket text
) returns void language plpgsql as $$
begin
  perform set_config('synchronous_commit', 'off', true);
  delete from ${schema}.lease l where l.bucket_id = any(p_leased) and l.ticket = p_ticket;
  if cardinality(p_ids) > 0 then
    -- Of a bucket that was forgotten meanwhile, all had come back.
    insert into ${schema}.bucket (id, back_us)
      select u.id, ${nowUs} - ${idleUs} from unnest(p_ids, p_changes) as u(id, change) where u.change > 0
      order by u.id on conflict do nothing;
    perform 1 from ${schema}.bucket b where b.id = any(p_ids) order by b.id for update;
    update ${schema}.bucket b set back_us = b.back_us + u.change
      from unnest(p_ids, p_changes) as u(id, change) where b.id = u.id;
  end if;
end $$;
`;

/** The statements of one schema. */
export interface LimitStatements {
  /** The name of the schema, as SQL. */
  readonly schema: string;
  /** One after another, in one transaction. */
  readonly create: readonly string[];
  readonly add: string;
  readonly take: string;
  readonly give: string;
  readonly renew: string;
  readonly tidy: readonly string[];
}

export const limitStatements = (name: string): LimitStatements => {
  const schema = quoted(name);
  return {
    schema,
    create: [
      `select pg_advisory_xact_lock(${lockNumber}, hashtext('${name.replaceAll("'", "''")}'))`,
      tables(schema),
      takeFunction(schema),
      giveFunction(schema),
    ],
    add: `insert into ${schema}.bucket (id, back_us)
      select u.id, 0 from unnest($1::text[]) as u(id) order by u.id on conflict do nothing`,
    take: `select o_taken as taken, o_now_us as now_us, o_backs as backs, o_running as running
      from ${schema}.take_v1($1, $2, $3, $4, $5, $6)`,
    give: `select ${schema}.give_v1($1, $2, $3, $4)`,
    // Never an insert: a place that was given back while this statement was on its way would be taken again.
    renew: `update ${schema}.lease l set until_us = ${nowUs} + $3::bigint
      from unnest($1::text[], $2::text[]) as u(bucket_id, ticket)
      where l.bucket_id = u.bucket_id and l.ticket = u.ticket`,
    tidy: [
      `delete from ${schema}.lease where ctid = any(array(
        select ctid from ${schema}.lease where until_us < ${nowUs} - ${idleUs} limit 1000 for update skip locked))`,
      `delete from ${schema}.bucket where ctid = any(array(
        select ctid from ${schema}.bucket where back_us < ${nowUs} - ${idleUs} limit 1000 for update skip locked))`,
    ],
  };
};
