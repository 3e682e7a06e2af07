-- The schema that the migrations make, written by `npm run schema`. It is for reading: `npm run migrate` makes a database,
-- and the migrations say what each index is for. Partitions of single days are left out.

CREATE OR REPLACE FUNCTION public.add_counts(a jsonb, b jsonb)
 RETURNS jsonb
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN CASE WHEN (b = '{}'::jsonb) THEN a WHEN (a = '{}'::jsonb) THEN b ELSE (SELECT jsonb_object_agg(totals.name, totals.total) AS jsonb_object_agg FROM (SELECT counts.name, sum((counts.count)::bigint) AS total FROM (SELECT jsonb_each_text.key, jsonb_each_text.value FROM jsonb_each_text(add_counts.a) jsonb_each_text(key, value) UNION ALL SELECT jsonb_each_text.key, jsonb_each_text.value FROM jsonb_each_text(add_counts.b) jsonb_each_text(key, value)) counts(name, count) GROUP BY counts.name) totals) END;

CREATE OR REPLACE FUNCTION public.add_each(a integer[], b integer[])
 RETURNS integer[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
RETURN ARRAY(SELECT (COALESCE(pairs.x, 0) + COALESCE(pairs.y, 0)) FROM UNNEST(add_each.a, add_each.b) WITH ORDINALITY pairs(x, y, nth) ORDER BY pairs.nth);

CREATE OR REPLACE FUNCTION public.app_now()
 RETURNS timestamp with time zone
 LANGUAGE sql
 STABLE PARALLEL SAFE
AS $function$select now()$function$;

CREATE OR REPLACE FUNCTION public.drop_audit_partitions(before date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass and c.relname ~ '^audit_entries_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_change_partitions(before date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'changes'::regclass and c.relname ~ '^changes_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_delivery_partitions(before date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'webhook_deliveries_ended'::regclass and c.relname ~ '^webhook_deliveries_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    lock table only webhook_deliveries_ended in access exclusive mode;
    execute format('lock table %I in access exclusive mode', name);
    execute format($lost$
      with
      lost as (
        select
          org_id, subscription_id,
          count(*) filter (where status = 'delivered') as delivered,
          count(*) filter (where status = 'failed') as failed
        from %I
        group by 1, 2
      ),
      locked as (
        select c.org_id, c.subscription_id, lost.delivered, lost.failed
        from webhook_delivery_counts c
        join lost using (org_id, subscription_id)
        order by c.org_id, c.subscription_id
        for no key update of c
      )
      update webhook_delivery_counts c
      set delivered = c.delivered - l.delivered, failed = c.failed - l.failed
      from locked l
      where c.org_id = l.org_id and c.subscription_id = l.subscription_id $lost$, name);
    execute format('drop table %I', name);
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.drop_refused_partitions(before date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'refused_requests'::regclass and c.relname ~ '^refused_requests_\d{8}$'
      and to_date(right(c.relname, 8), 'YYYYMMDD') < before
  loop
    execute format('drop table %I', name);
  end loop;
  delete from refused_requests_default where kept_until < before::timestamp at time zone 'UTC';
end $function$;

CREATE OR REPLACE FUNCTION public.end_dry_run()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  raise exception using errcode = 'AC001', message = new.matched::text;
end
$function$;

CREATE OR REPLACE FUNCTION public.erase_lonely_account()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform from accounts where id = old.account_id for update;
  delete from accounts a
  where a.id = old.account_id and not exists (select from memberships m where m.account_id = a.id);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.first_id_of_day(day date)
 RETURNS uuid
 LANGUAGE sql
 IMMUTABLE STRICT
RETURN ((lpad(to_hex(((EXTRACT(epoch FROM (day)::timestamp without time zone) * (1000)::numeric))::bigint), 12, '0'::text) || '70008000000000000000'::text))::uuid;

CREATE OR REPLACE FUNCTION public.make_audit_partitions(first date, last date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'audit_entries_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from audit_entries_default
      where created_at >= day::timestamp at time zone 'UTC' and created_at < (day + 1)::timestamp at time zone 'UTC');
    execute format('create table %I (like audit_entries including defaults including constraints)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table audit_entries attach partition %I for values from (%L) to (%L)', name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.make_change_partitions(first date, last date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'changes_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from changes_default
      where change_id >= first_id_of_day(day) and change_id < first_id_of_day(day + 1));
    execute format('create table %I (like changes including defaults including constraints including storage)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table changes attach partition %I for values from (%L) to (%L)', name,
      first_id_of_day(day), first_id_of_day(day + 1));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.make_delivery_partitions(first date, last date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'webhook_deliveries_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from webhook_deliveries_ended_default
      where change_id >= first_id_of_day(day) and change_id < first_id_of_day(day + 1));
    execute format(
      'create table %I (like webhook_deliveries_ended including defaults including constraints including storage)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table webhook_deliveries_ended attach partition %I for values from (%L) to (%L)', name,
      first_id_of_day(day), first_id_of_day(day + 1));
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.make_refused_partitions(first date, last date)
 RETURNS void
 LANGUAGE plpgsql
 SET lock_timeout TO '1s'
AS $function$
declare
  day date;
  name text;
begin
  for day in select generate_series(first, last, interval '1 day')::date loop
    name := 'refused_requests_' || to_char(day, 'YYYYMMDD');
    continue when to_regclass(name) is not null or exists (
      select from refused_requests_default
      where kept_until >= day::timestamp at time zone 'UTC' and kept_until < (day + 1)::timestamp at time zone 'UTC');
    execute format('create table %I (like refused_requests including defaults including constraints)', name);
    -- attached, not created in place: that would wait for every reader and block every writer
    execute format('alter table refused_requests attach partition %I for values from (%L) to (%L)', name,
      day::timestamp at time zone 'UTC', (day + 1)::timestamp at time zone 'UTC');
  end loop;
end $function$;

CREATE OR REPLACE FUNCTION public.refuse_ctid()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if current_query() ~* '\mctid\M' then
    raise exception 'rows of % are named by their keys', tg_table_name;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION public.revoke_invitations()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  update invitations i
  set status = 'revoked', ended_at = app_now()
  where i.org_id = old.org_id and i.invited_by = old.id and i.status = 'pending' and i.expires_at > app_now()
    and (
      tg_op = 'DELETE'
      or new.role not in ('owner', 'admin')
      or (new.role = 'admin' and i.role = 'owner')
    );
  return null;
end $function$;

CREATE TABLE accounts (
  email text NOT NULL,
  password_hash text,
  generation integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  id uuid NOT NULL,
  proven_at timestamptz,
  own_org_id uuid,
  revision bigint DEFAULT 0 NOT NULL,
  totp_sealed bytea,
  totp_enabled_at timestamptz,
  totp_last_step integer,
  factor_revision integer DEFAULT 0 NOT NULL,
  totp_pending_sealed bytea,
  totp_pending_expires_at timestamptz,
  CONSTRAINT accounts_pkey PRIMARY KEY (id),
  CONSTRAINT accounts_own_org_id_id_fkey FOREIGN KEY (own_org_id, id) REFERENCES memberships(org_id, account_id) ON DELETE SET NULL (own_org_id),
  CONSTRAINT accounts_check CHECK ((totp_sealed IS NULL) = (totp_enabled_at IS NULL)),
  CONSTRAINT accounts_check1 CHECK (totp_last_step IS NULL OR totp_sealed IS NOT NULL),
  CONSTRAINT accounts_check2 CHECK ((totp_pending_sealed IS NULL) = (totp_pending_expires_at IS NULL)),
  CONSTRAINT accounts_email_check CHECK (email = lower(email))
);
CREATE UNIQUE INDEX accounts_by_email ON accounts (email);

CREATE TABLE agents (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  name text NOT NULL,
  type text NOT NULL,
  description text,
  status text NOT NULL,
  metadata jsonb NOT NULL,
  decommissioned_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT agents_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT agents_check CHECK ((status = 'decommissioned') = (decommissioned_at IS NOT NULL)),
  CONSTRAINT agents_status_check CHECK (status = ANY (ARRAY['active', 'paused', 'decommissioned'])),
  CONSTRAINT agents_type_check CHECK (type = ANY (ARRAY['ai', 'human', 'resource']))
);
CREATE INDEX agents_by_status ON agents (org_id, status, id DESC);
CREATE INDEX agents_by_type ON agents (org_id, type, id DESC);
CREATE INDEX agents_living ON agents (org_id) WHERE status <> 'decommissioned';
ALTER TABLE agents ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE answers (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  fingerprint bytea NOT NULL,
  status smallint NOT NULL,
  answer_sealed bytea NOT NULL,
  request_id uuid NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT answers_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT answers_fingerprint_check CHECK (length(fingerprint) = 32)
) WITH (autovacuum_vacuum_scale_factor=0.05);
CREATE INDEX answers_by_time ON answers USING brin (created_at) WITH (pages_per_range='16', autosummarize='on');

CREATE TABLE api_keys (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid,
  hash bytea NOT NULL,
  prefix text NOT NULL,
  label text,
  created_at timestamptz NOT NULL,
  revoked_at timestamptz,
  guardrails jsonb,
  pending_approvals integer DEFAULT 0 NOT NULL,
  is_primary boolean DEFAULT true NOT NULL,
  scope text DEFAULT 'full' NOT NULL,
  allowed_ips jsonb,
  expires_at timestamptz,
  last_used_at timestamptz,
  created_by_member uuid,
  created_by_email text,
  replaced_by uuid,
  CONSTRAINT api_keys_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT api_keys_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agents(org_id, id) ON DELETE CASCADE,
  CONSTRAINT api_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT api_keys_hash_check CHECK (length(hash) = 32),
  CONSTRAINT api_keys_of_organization CHECK (agent_id IS NULL OR scope = 'full' AND allowed_ips IS NULL),
  CONSTRAINT api_keys_pending_approvals CHECK (pending_approvals >= 0 AND pending_approvals <= 100),
  CONSTRAINT api_keys_scope_check CHECK (scope = ANY (ARRAY['full', 'read_only']))
);
CREATE UNIQUE INDEX api_keys_by_hash ON api_keys (hash);
CREATE INDEX api_keys_by_prefix ON api_keys (prefix);
CREATE INDEX api_keys_by_successor ON api_keys (org_id, replaced_by) WHERE replaced_by IS NOT NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_of_agent ON api_keys (org_id, agent_id) WHERE revoked_at IS NULL;
CREATE UNIQUE INDEX api_keys_one_primary ON api_keys (org_id) WHERE agent_id IS NULL AND is_primary AND replaced_by IS NULL AND revoked_at IS NULL;
CREATE INDEX api_keys_own ON api_keys (org_id, id) WHERE agent_id IS NULL AND revoked_at IS NULL;
ALTER TABLE api_keys ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE approvals (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  key_id uuid NOT NULL,
  key_prefix text NOT NULL,
  agent_id uuid NOT NULL,
  calendar_id uuid,
  action text NOT NULL,
  request_sealed bytea NOT NULL,
  request_hash bytea NOT NULL,
  approver text NOT NULL,
  token_hash bytea,
  status text DEFAULT 'pending' NOT NULL,
  result_sealed bytea,
  expires_at timestamptz NOT NULL,
  decided_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT approvals_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT approvals_approver_check CHECK (approver = ANY (ARRAY['session', 'link'])),
  CONSTRAINT approvals_check CHECK ((approver = 'link') = (token_hash IS NOT NULL)),
  CONSTRAINT approvals_check1 CHECK ((status = 'pending') = (decided_at IS NULL)),
  CONSTRAINT approvals_request_hash_check CHECK (length(request_hash) = 32),
  CONSTRAINT approvals_status_check CHECK (status = ANY (ARRAY['pending', 'approved', 'rejected', 'expired', 'failed'])),
  CONSTRAINT approvals_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX approvals_by_id ON approvals (id) WHERE approver = 'session';
CREATE INDEX approvals_by_status ON approvals (org_id, status, id DESC);
CREATE UNIQUE INDEX approvals_by_token ON approvals (token_hash) WHERE token_hash IS NOT NULL;
CREATE INDEX approvals_decided ON approvals (decided_at, status) WHERE decided_at IS NOT NULL;
CREATE INDEX approvals_of_agent ON approvals (org_id, agent_id, id DESC);
CREATE INDEX approvals_pending ON approvals (id) WHERE status = 'pending';

CREATE TABLE audit_entries (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  action text NOT NULL,
  actor_key_prefix text,
  actor_account text,
  agent_id uuid,
  resource text,
  ip text,
  status smallint,
  method text,
  path text,
  duration_ms integer,
  request_id text,
  created_at timestamptz NOT NULL,
  actor_member uuid,
  actor_role text,
  CONSTRAINT audit_entries_pkey PRIMARY KEY (org_id, created_at, id)
) PARTITION BY RANGE (created_at);
CREATE INDEX audit_entries_by_action ON ONLY audit_entries (org_id, action, created_at, id);
CREATE INDEX audit_entries_by_agent ON ONLY audit_entries (org_id, agent_id, created_at, id) WHERE agent_id IS NOT NULL;
CREATE INDEX audit_entries_by_key ON ONLY audit_entries (org_id, actor_key_prefix, created_at, id) WHERE actor_key_prefix IS NOT NULL;
CREATE INDEX audit_entries_by_member ON ONLY audit_entries (org_id, actor_member, created_at, id) WHERE actor_member IS NOT NULL;
CREATE INDEX audit_entries_by_request ON ONLY audit_entries (org_id, request_id, created_at, id) WHERE request_id IS NOT NULL;
CREATE INDEX audit_entries_by_resource ON ONLY audit_entries (org_id, resource, created_at, id) WHERE resource IS NOT NULL;
CREATE TABLE audit_entries_default PARTITION OF audit_entries DEFAULT;

CREATE TABLE availability_grant_agents (
  org_id uuid NOT NULL,
  grant_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  CONSTRAINT availability_grant_agents_pkey PRIMARY KEY (org_id, grant_id, agent_id),
  CONSTRAINT availability_grant_agents_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES availability_grants(org_id, id) ON DELETE CASCADE
);

CREATE TABLE availability_grant_calendars (
  org_id uuid NOT NULL,
  grant_id uuid NOT NULL,
  external_calendar_id uuid NOT NULL,
  CONSTRAINT availability_grant_calendars_pkey PRIMARY KEY (org_id, grant_id, external_calendar_id),
  CONSTRAINT availability_grant_calendars_org_id_external_calendar_id_fkey FOREIGN KEY (org_id, external_calendar_id) REFERENCES external_calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT availability_grant_calendars_org_id_grant_id_fkey FOREIGN KEY (org_id, grant_id) REFERENCES availability_grants(org_id, id) ON DELETE CASCADE
);
CREATE INDEX availability_grant_calendars_of ON availability_grant_calendars (org_id, external_calendar_id);

CREATE TABLE availability_grants (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  audience text NOT NULL,
  audience_cutoff_at timestamptz,
  active boolean NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT availability_grants_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT availability_grants_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT availability_grants_audience_check CHECK (audience = ANY (ARRAY['selected_agents', 'all_current_agents', 'all_org_agents'])),
  CONSTRAINT availability_grants_check CHECK ((audience = 'all_current_agents') = (audience_cutoff_at IS NOT NULL))
);

CREATE TABLE availability_rules (
  org_id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  id uuid NOT NULL,
  buffer_before_minutes smallint NOT NULL,
  buffer_after_minutes smallint NOT NULL,
  working_hours jsonb,
  timezone text NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  more jsonb,
  labels_sealed bytea,
  CONSTRAINT availability_rules_pkey PRIMARY KEY (org_id, calendar_id),
  CONSTRAINT availability_rules_org_id_calendar_id_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT availability_rules_buffer_after_minutes_check CHECK (buffer_after_minutes >= 0 AND buffer_after_minutes <= 120),
  CONSTRAINT availability_rules_buffer_before_minutes_check CHECK (buffer_before_minutes >= 0 AND buffer_before_minutes <= 120),
  CONSTRAINT availability_rules_more_check CHECK (more <> '{}'),
  CONSTRAINT availability_rules_working_hours_check CHECK (working_hours <> '{}')
);

CREATE TABLE booking_pages (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  slug_hash bytea NOT NULL,
  slug_sealed bytea NOT NULL,
  title text NOT NULL,
  description text,
  duration_minutes smallint NOT NULL,
  buffer_minutes smallint NOT NULL,
  window_days smallint NOT NULL,
  min_notice_minutes integer NOT NULL,
  timezone text NOT NULL,
  availability_constraints jsonb,
  active boolean NOT NULL,
  bookings_count integer DEFAULT 0 NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  details jsonb DEFAULT '{}' NOT NULL,
  vanity_slug text,
  CONSTRAINT booking_pages_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT booking_pages_org_id_calendar_id_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT booking_pages_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT booking_pages_availability_constraints_check CHECK (availability_constraints <> '{}'),
  CONSTRAINT booking_pages_bookings_count_check CHECK (bookings_count >= 0),
  CONSTRAINT booking_pages_buffer_minutes_check CHECK (buffer_minutes >= 0 AND buffer_minutes <= 120),
  CONSTRAINT booking_pages_duration_minutes_check CHECK (duration_minutes >= 5 AND duration_minutes <= 480),
  CONSTRAINT booking_pages_min_notice_minutes_check CHECK (min_notice_minutes >= 0 AND min_notice_minutes <= 40320),
  CONSTRAINT booking_pages_slug_hash_check CHECK (length(slug_hash) = 32),
  CONSTRAINT booking_pages_vanity_slug_check CHECK (vanity_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' AND length(vanity_slug) >= 3 AND length(vanity_slug) <= 64),
  CONSTRAINT booking_pages_window_days_check CHECK (window_days >= 1 AND window_days <= 365)
);
CREATE UNIQUE INDEX booking_pages_by_slug_hash ON booking_pages (slug_hash);
CREATE UNIQUE INDEX booking_pages_by_vanity_slug ON booking_pages (vanity_slug) WHERE vanity_slug IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX booking_pages_living ON booking_pages (org_id, id DESC) WHERE deleted_at IS NULL;

CREATE TABLE bookings (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  page_id uuid NOT NULL,
  token_hash bytea NOT NULL,
  guest_sealed bytea NOT NULL,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  moves smallint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  other_changes integer DEFAULT 0 NOT NULL,
  others smallint DEFAULT 0 NOT NULL,
  CONSTRAINT bookings_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT bookings_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT bookings_org_id_page_id_fkey FOREIGN KEY (org_id, page_id) REFERENCES booking_pages(org_id, id) ON DELETE CASCADE,
  CONSTRAINT bookings_moves_check CHECK (moves >= 0),
  CONSTRAINT bookings_other_changes_check CHECK (other_changes >= 0),
  CONSTRAINT bookings_others_check CHECK (others >= 0 AND others <= 20),
  CONSTRAINT bookings_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX bookings_by_end ON bookings (end_time);
CREATE INDEX bookings_by_page ON bookings (org_id, page_id);
CREATE UNIQUE INDEX bookings_by_token_hash ON bookings (token_hash);
ALTER TABLE bookings ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE calendar_connections (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text NOT NULL,
  account_digest bytea NOT NULL,
  label_sealed bytea,
  credentials_sealed bytea,
  server_sealed bytea,
  capabilities text[] NOT NULL,
  status text NOT NULL,
  reauthorization_reason text,
  timezone text NOT NULL,
  made_by_link uuid,
  revision bigint DEFAULT 0 NOT NULL,
  claim bigint DEFAULT 0 NOT NULL,
  notified bigint DEFAULT 0 NOT NULL,
  notified_at timestamptz,
  wanted_claim bigint,
  next_read_at timestamptz,
  claimed_until timestamptz,
  held_until timestamptz,
  last_read_began_at timestamptz,
  last_read_ended_at timestamptz,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  refused_at timestamptz,
  listed_at timestamptz NOT NULL,
  attention_at timestamptz,
  broken_at timestamptz,
  last_authenticated_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  granted text[],
  credentials_version bigint DEFAULT 0 NOT NULL,
  renewing_until timestamptz,
  next_watch_at timestamptz,
  member_id uuid,
  CONSTRAINT calendar_connections_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT calendar_connections_org_id_provider_account_digest_key UNIQUE (org_id, provider, account_digest),
  CONSTRAINT calendar_connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT calendar_connections_capabilities_check CHECK (capabilities <@ ARRAY['availability', 'publishing'] AND capabilities <> '{}'::text[]),
  CONSTRAINT calendar_connections_check CHECK ((status = ANY (ARRAY['reauthorization_required', 'disconnected'])) = (reauthorization_reason IS NOT NULL)),
  CONSTRAINT calendar_connections_check1 CHECK (status <> 'disconnected' OR credentials_sealed IS NULL),
  CONSTRAINT calendar_connections_consecutive_failures_check CHECK (consecutive_failures >= 0),
  CONSTRAINT calendar_connections_granted_check CHECK (granted <@ ARRAY['availability', 'publishing']),
  CONSTRAINT calendar_connections_provider_check CHECK (provider = ANY (ARRAY['google', 'microsoft', 'caldav'])),
  CONSTRAINT calendar_connections_reauthorization_reason_check CHECK (reauthorization_reason = ANY (ARRAY['grant_revoked', 'credentials_rejected', 'scope_missing', 'provider_policy', 'unattended'])),
  CONSTRAINT calendar_connections_status_check CHECK (status = ANY (ARRAY['active', 'paused', 'reauthorization_required', 'disconnected']))
);
CREATE INDEX calendar_connections_attention ON calendar_connections (attention_at) WHERE attention_at IS NOT NULL;
CREATE INDEX calendar_connections_due ON calendar_connections (next_read_at) WHERE next_read_at IS NOT NULL;
CREATE INDEX calendar_connections_of_member ON calendar_connections (org_id, member_id);
CREATE INDEX calendar_connections_watch ON calendar_connections (next_watch_at) WHERE next_watch_at IS NOT NULL;

CREATE TABLE calendars (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid,
  name text NOT NULL,
  timezone text NOT NULL,
  agent_status text DEFAULT 'idle' NOT NULL,
  default_reminders integer[],
  metadata jsonb NOT NULL,
  external_id text,
  provider text,
  feed_token_hash bytea NOT NULL,
  feed_token_sealed bytea NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  holds_revision bigint DEFAULT 0 NOT NULL,
  confirmed_events integer DEFAULT 0 NOT NULL,
  tentative_events integer DEFAULT 0 NOT NULL,
  cancelled_events integer DEFAULT 0 NOT NULL,
  hold_events integer DEFAULT 0 NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  destination_id uuid,
  busy_token_hash bytea,
  busy_token_sealed bytea,
  CONSTRAINT calendars_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT calendars_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agents(org_id, id) ON DELETE CASCADE,
  CONSTRAINT calendars_busy_token_hash_check CHECK (length(busy_token_hash) = 32),
  CONSTRAINT calendars_cancelled_events_check CHECK (cancelled_events >= 0),
  CONSTRAINT calendars_check CHECK ((busy_token_hash IS NULL) = (busy_token_sealed IS NULL)),
  CONSTRAINT calendars_confirmed_events_check CHECK (confirmed_events >= 0),
  CONSTRAINT calendars_feed_token_hash_check CHECK (length(feed_token_hash) = 32),
  CONSTRAINT calendars_hold_events_check CHECK (hold_events >= 0),
  CONSTRAINT calendars_tentative_events_check CHECK (tentative_events >= 0)
);
CREATE UNIQUE INDEX calendars_by_busy_token ON calendars (busy_token_hash) WHERE busy_token_hash IS NOT NULL;
CREATE UNIQUE INDEX calendars_by_feed_token ON calendars (feed_token_hash);
CREATE INDEX calendars_living ON calendars (org_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX calendars_of_organization ON calendars (org_id, id DESC) WHERE agent_id IS NULL AND deleted_at IS NULL;
CREATE INDEX calendars_of_owner ON calendars (org_id, agent_id, id DESC) WHERE deleted_at IS NULL;
ALTER TABLE calendars ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE changes (
  org_id uuid NOT NULL,
  seq bigint NOT NULL,
  change_id uuid NOT NULL,
  "position" smallint NOT NULL,
  xid xid8 DEFAULT pg_current_xact_id() NOT NULL,
  type text NOT NULL,
  calendar_id uuid,
  agent_id uuid,
  resource_id uuid NOT NULL,
  revision bigint,
  cause text NOT NULL,
  actor jsonb,
  payload_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  participant_ids uuid[],
  starts_at timestamptz,
  ends_at timestamptz,
  reminder_minutes integer,
  CONSTRAINT changes_pkey PRIMARY KEY (org_id, seq, change_id, "position"),
  CONSTRAINT changes_cause_check CHECK (cause = ANY (ARRAY['api', 'timer', 'booking', 'import', 'approval'])),
  CONSTRAINT changes_moment CHECK ((starts_at IS NULL) = (ends_at IS NULL) AND (starts_at IS NOT NULL OR reminder_minutes IS NULL))
) PARTITION BY RANGE (change_id);
CREATE SEQUENCE changes_seq OWNED BY changes.seq;
CREATE INDEX changes_by_xid ON ONLY changes (org_id, xid) INCLUDE (seq);
CREATE INDEX changes_of_resource ON ONLY changes (org_id, resource_id, seq) WHERE starts_at IS NULL;
CREATE TABLE changes_default PARTITION OF changes DEFAULT;

CREATE TABLE connection_channels (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  external_calendar_id uuid NOT NULL,
  token_digest bytea NOT NULL,
  resource_sealed bytea,
  renew_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT connection_channels_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT connection_channels_id_key UNIQUE (id)
);
CREATE INDEX connection_channels_expiry ON connection_channels (expires_at);
CREATE INDEX connection_channels_of ON connection_channels (org_id, connection_id);

CREATE TABLE connection_consents (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  session_id uuid NOT NULL,
  ip text,
  text_version text NOT NULL,
  capabilities text[] NOT NULL,
  external_calendar_ids uuid[] NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT connection_consents_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT connection_consents_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE connection_keys (
  org_id uuid NOT NULL,
  key_sealed bytea NOT NULL,
  CONSTRAINT connection_keys_pkey PRIMARY KEY (org_id),
  CONSTRAINT connection_keys_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE
);

CREATE TABLE connection_links (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  token_digest bytea NOT NULL,
  capabilities text[] NOT NULL,
  publication_policy text NOT NULL,
  status text NOT NULL,
  connection_id uuid,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT connection_links_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT connection_links_token_digest_key UNIQUE (token_digest),
  CONSTRAINT connection_links_org_id_calendar_id_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT connection_links_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT connection_links_capabilities_check CHECK (capabilities <@ ARRAY['availability', 'publishing'] AND capabilities <> '{}'::text[]),
  CONSTRAINT connection_links_check CHECK ((status = ANY (ARRAY['awaiting_human', 'in_progress'])) = (ended_at IS NULL)),
  CONSTRAINT connection_links_check1 CHECK (status <> 'completed' OR connection_id IS NOT NULL),
  CONSTRAINT connection_links_publication_policy_check CHECK (publication_policy = ANY (ARRAY['none', 'confirmed', 'confirmed_tentative'])),
  CONSTRAINT connection_links_status_check CHECK (status = ANY (ARRAY['awaiting_human', 'in_progress', 'completed', 'declined', 'expired', 'cancelled']))
);
CREATE INDEX connection_links_due ON connection_links (expires_at) WHERE ended_at IS NULL;
CREATE INDEX connection_links_expiry ON connection_links (expires_at);
CREATE INDEX connection_links_pending ON connection_links (org_id, calendar_id) WHERE ended_at IS NULL;

CREATE TABLE connection_revocations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text NOT NULL,
  account_digest bytea NOT NULL,
  credentials_sealed bytea NOT NULL,
  attempts integer DEFAULT 0 NOT NULL,
  next_run_at timestamptz NOT NULL,
  ends_at timestamptz NOT NULL,
  CONSTRAINT connection_revocations_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT connection_revocations_provider_check CHECK (provider = ANY (ARRAY['google', 'microsoft']))
);
CREATE INDEX connection_revocations_due ON connection_revocations (next_run_at);

CREATE TABLE connection_states (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  state_digest bytea NOT NULL,
  session_id uuid NOT NULL,
  provider text NOT NULL,
  capabilities text[] NOT NULL,
  link_id uuid,
  connection_id uuid,
  secrets_sealed bytea NOT NULL,
  created_at timestamptz NOT NULL,
  CONSTRAINT connection_states_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT connection_states_state_digest_key UNIQUE (state_digest),
  CONSTRAINT connection_states_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT connection_states_capabilities_check CHECK (capabilities <@ ARRAY['availability', 'publishing'] AND capabilities <> '{}'::text[]),
  CONSTRAINT connection_states_provider_check CHECK (provider = ANY (ARRAY['google', 'microsoft']))
);
CREATE INDEX connection_states_age ON connection_states (created_at);

CREATE TABLE departing_connections (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  provider text NOT NULL,
  credentials_sealed bytea NOT NULL,
  server_sealed bytea,
  gives_up_at timestamptz NOT NULL,
  credentials_version bigint DEFAULT 0 NOT NULL,
  renewing_until timestamptz,
  CONSTRAINT departing_connections_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT departing_connections_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT departing_connections_provider_check CHECK (provider = ANY (ARRAY['google', 'microsoft', 'caldav']))
);

CREATE TABLE dry_runs (
  matched bigint NOT NULL,
  CONSTRAINT end_dry_run TRIGGER DEFERRABLE INITIALLY DEFERRED
);
CREATE CONSTRAINT TRIGGER end_dry_run AFTER INSERT ON dry_runs DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION end_dry_run();

CREATE TABLE erasures (
  org_id uuid NOT NULL,
  erased_at timestamptz NOT NULL,
  next_run_at timestamptz NOT NULL,
  CONSTRAINT erasures_pkey PRIMARY KEY (org_id)
);
CREATE INDEX erasures_due ON erasures (next_run_at);

CREATE TABLE events (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  title_sealed bytea NOT NULL,
  description_sealed bytea,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  all_day boolean DEFAULT false NOT NULL,
  status text NOT NULL,
  source text DEFAULT 'internal' NOT NULL,
  metadata jsonb NOT NULL,
  booking_sealed bytea,
  reminders integer[],
  hold_expires_at timestamptz,
  hold_priority smallint DEFAULT 0 NOT NULL,
  hold_outcome text,
  recurrence_rule text,
  recurrence_exdates timestamptz[] DEFAULT '{}'::timestamptz[] NOT NULL,
  series_last_start timestamptz,
  sequence integer DEFAULT 0 NOT NULL,
  ical_subscription_id uuid,
  ical_key bytea,
  ical_content bytea,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  recurrence_timezone text,
  recurrence_rdates timestamptz[] DEFAULT '{}'::timestamptz[] NOT NULL,
  recurrence_skipped_ms integer DEFAULT 0 NOT NULL,
  overridden_starts timestamptz[] DEFAULT '{}'::timestamptz[] NOT NULL,
  series_id uuid,
  original_start timestamptz,
  own_fields text[],
  hold_group_id uuid,
  renew_until timestamptz,
  hold_fence bigint,
  details_sealed bytea,
  label_keys bytea[],
  transparent boolean DEFAULT false NOT NULL,
  CONSTRAINT events_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT events_beside_rule CHECK (recurrence_rule IS NOT NULL OR recurrence_timezone IS NULL AND recurrence_rdates = '{}'::timestamptz[] AND recurrence_skipped_ms = 0 AND overridden_starts = '{}'::timestamptz[]),
  CONSTRAINT events_check CHECK (end_time > start_time),
  CONSTRAINT events_check1 CHECK (status <> 'hold' OR hold_expires_at IS NOT NULL AND hold_outcome IS NULL),
  CONSTRAINT events_check2 CHECK (hold_outcome IS NULL OR hold_expires_at IS NOT NULL),
  CONSTRAINT events_check3 CHECK (status <> 'hold' OR recurrence_rule IS NULL),
  CONSTRAINT events_check4 CHECK (recurrence_rule IS NOT NULL OR recurrence_exdates = '{}'::timestamptz[]),
  CONSTRAINT events_check5 CHECK (recurrence_rule IS NOT NULL OR series_last_start IS NULL),
  CONSTRAINT events_check6 CHECK ((ical_subscription_id IS NULL) = (ical_key IS NULL) AND (ical_key IS NULL) = (ical_content IS NULL)),
  CONSTRAINT events_check7 CHECK (ical_subscription_id IS NULL OR source = 'external_ical'),
  CONSTRAINT events_hold_outcome_check CHECK (hold_outcome = ANY (ARRAY['confirmed', 'released', 'expired', 'preempted'])),
  CONSTRAINT events_hold_priority_check CHECK (hold_priority >= 0 AND hold_priority <= 100),
  CONSTRAINT events_labelled CHECK (label_keys IS NULL OR details_sealed IS NOT NULL),
  CONSTRAINT events_occurrence CHECK ((series_id IS NULL) = (original_start IS NULL) AND (series_id IS NULL) = (own_fields IS NULL) AND (series_id IS NULL OR recurrence_rule IS NULL AND status <> 'hold' AND source = 'internal')),
  CONSTRAINT events_source_check CHECK (source = ANY (ARRAY['internal', 'external_ical'])),
  CONSTRAINT events_status_check CHECK (status = ANY (ARRAY['confirmed', 'tentative', 'cancelled', 'hold'])),
  CONSTRAINT events_transparent CHECK (NOT transparent OR status <> 'hold')
);
CREATE INDEX events_active_series ON events (org_id, COALESCE(series_last_start, 'infinity')) INCLUDE (calendar_id) WHERE recurrence_rule IS NOT NULL AND status <> 'cancelled' AND deleted_at IS NULL;
CREATE INDEX events_apart ON events (org_id, calendar_id, (
CASE
    WHEN recurrence_rule IS NULL THEN end_time
    ELSE COALESCE((((series_last_start AT TIME ZONE 'UTC') + (end_time - start_time)) AT TIME ZONE 'UTC'), 'infinity')
END)) WHERE (recurrence_rule IS NOT NULL OR status = 'hold' OR (end_time - start_time) > '7 days') AND status <> 'cancelled' AND deleted_at IS NULL;
CREATE INDEX events_by_label ON events USING gin (label_keys) WHERE label_keys IS NOT NULL;
CREATE INDEX events_deleted ON events (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX events_edited ON events (org_id, calendar_id, start_time, series_id, original_start) INCLUDE (end_time) WHERE series_id IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX events_imported ON events (org_id, calendar_id, status, start_time, id) WHERE source = 'external_ical' AND deleted_at IS NULL;
CREATE INDEX events_listed ON events (org_id, calendar_id, status, start_time, id) INCLUDE (end_time, series_id, transparent) WHERE deleted_at IS NULL;
CREATE INDEX events_live_holds ON events (org_id, calendar_id, hold_expires_at) INCLUDE (start_time, end_time, hold_priority) WHERE status = 'hold' AND deleted_at IS NULL;
CREATE UNIQUE INDEX events_of_ical_subscription ON events (org_id, ical_subscription_id, ical_key) WHERE ical_subscription_id IS NOT NULL;
CREATE UNIQUE INDEX events_of_series ON events (org_id, series_id, original_start) WHERE series_id IS NOT NULL;
CREATE INDEX events_series_until ON events (org_id, calendar_id, status, COALESCE((((series_last_start AT TIME ZONE 'UTC') + (end_time - start_time)) AT TIME ZONE 'UTC'), 'infinity')) WHERE recurrence_rule IS NOT NULL AND deleted_at IS NULL;
CREATE INDEX events_trash ON events (org_id, calendar_id, deleted_at, id) WHERE deleted_at IS NOT NULL AND series_id IS NULL AND source = 'internal' AND status <> 'hold';
CREATE INDEX events_whole_days ON events (org_id, calendar_id) WHERE all_day AND deleted_at IS NULL;
ALTER TABLE events ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE external_busy (
  org_id uuid NOT NULL,
  external_calendar_id uuid NOT NULL,
  object_digest bytea NOT NULL,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  CONSTRAINT external_busy_check CHECK (end_time > start_time)
);
CREATE INDEX external_busy_by_object ON external_busy (org_id, external_calendar_id, object_digest);
CREATE INDEX external_busy_by_start ON external_busy (org_id, external_calendar_id, start_time, end_time);

CREATE TABLE external_calendars (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  connection_id uuid NOT NULL,
  remote_digest bytea NOT NULL,
  remote_sealed bytea NOT NULL,
  name_sealed bytea NOT NULL,
  access_role text,
  is_primary boolean NOT NULL,
  is_feed boolean NOT NULL,
  timezone text,
  is_readable boolean NOT NULL,
  is_writable boolean NOT NULL,
  is_selected boolean DEFAULT false NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  last_attempted_at timestamptz,
  last_read_at timestamptz,
  last_error text,
  covers_from timestamptz,
  covers_until timestamptz,
  is_cut boolean DEFAULT false NOT NULL,
  cursor_sealed bytea,
  compared_at timestamptz,
  read_whole_at timestamptz,
  created_at timestamptz NOT NULL,
  is_refused boolean DEFAULT false NOT NULL,
  has_unread boolean DEFAULT false NOT NULL,
  CONSTRAINT external_calendars_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT external_calendars_org_id_connection_id_remote_digest_key UNIQUE (org_id, connection_id, remote_digest),
  CONSTRAINT external_calendars_org_id_connection_id_fkey FOREIGN KEY (org_id, connection_id) REFERENCES calendar_connections(org_id, id) ON DELETE CASCADE,
  CONSTRAINT external_calendars_access_role_check CHECK (access_role = ANY (ARRAY['owner', 'writer', 'reader', 'free_busy'])),
  CONSTRAINT external_calendars_check CHECK ((last_read_at IS NULL) = (covers_from IS NULL) AND (last_read_at IS NULL) = (covers_until IS NULL)),
  CONSTRAINT external_calendars_check1 CHECK (is_selected OR last_read_at IS NULL),
  CONSTRAINT external_calendars_last_error_check CHECK (last_error = ANY (ARRAY['rate_limited', 'unreachable', 'provider_error', 'unauthorized', 'forbidden', 'not_found', 'too_large', 'malformed']))
);
CREATE INDEX external_calendars_stalest ON external_calendars (last_read_at) WHERE is_selected;

CREATE TABLE external_destinations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  external_calendar_id uuid NOT NULL,
  remote_sealed bytea NOT NULL,
  policy text NOT NULL,
  lost text,
  fill_after uuid,
  next_step_at timestamptz,
  ended_at timestamptz,
  keeps_copies boolean DEFAULT false NOT NULL,
  gives_up_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT external_destinations_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT external_destinations_check CHECK ((ended_at IS NULL) = (gives_up_at IS NULL)),
  CONSTRAINT external_destinations_lost_check CHECK (lost = ANY (ARRAY['forbidden', 'not_found'])),
  CONSTRAINT external_destinations_policy_check CHECK (policy = ANY (ARRAY['confirmed', 'confirmed_tentative']))
);
CREATE INDEX external_destinations_by_connection ON external_destinations (org_id, connection_id);
CREATE INDEX external_destinations_due ON external_destinations (next_step_at) WHERE next_step_at IS NOT NULL;
CREATE UNIQUE INDEX external_destinations_of ON external_destinations (org_id, calendar_id) WHERE ended_at IS NULL;

CREATE TABLE external_objects (
  org_id uuid NOT NULL,
  external_calendar_id uuid NOT NULL,
  object_digest bytea NOT NULL,
  version_digest bytea NOT NULL,
  CONSTRAINT external_objects_pkey PRIMARY KEY (org_id, external_calendar_id, object_digest)
);

CREATE TABLE feed_incarnation (
  incarnation uuid DEFAULT gen_random_uuid() NOT NULL,
  since timestamptz DEFAULT now() NOT NULL,
  is_only boolean DEFAULT true NOT NULL,
  CONSTRAINT feed_incarnation_pkey PRIMARY KEY (is_only),
  CONSTRAINT feed_incarnation_is_only_check CHECK (is_only)
);

CREATE TABLE feed_timelines (
  system_identifier bigint NOT NULL,
  timeline text NOT NULL,
  id uuid DEFAULT gen_random_uuid() NOT NULL,
  left_at pg_lsn,
  since timestamptz DEFAULT now() NOT NULL,
  CONSTRAINT feed_timelines_pkey PRIMARY KEY (system_identifier, timeline)
);

CREATE TABLE hold_groups (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid,
  title_sealed bytea NOT NULL,
  description_sealed bytea,
  metadata jsonb NOT NULL,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  status text NOT NULL,
  reason text,
  hold_expires_at timestamptz,
  hold_priority smallint NOT NULL,
  require_free boolean NOT NULL,
  renew_until timestamptz,
  requirements jsonb NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  CONSTRAINT hold_groups_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT hold_groups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT hold_groups_check CHECK (end_time > start_time),
  CONSTRAINT hold_groups_check1 CHECK ((status = 'expired') = (reason IS NOT NULL)),
  CONSTRAINT hold_groups_check2 CHECK (status <> 'held' OR hold_expires_at IS NOT NULL),
  CONSTRAINT hold_groups_hold_priority_check CHECK (hold_priority >= 0 AND hold_priority <= 100),
  CONSTRAINT hold_groups_reason_check CHECK (reason = ANY (ARRAY['lapsed', 'preempted', 'calendar_gone'])),
  CONSTRAINT hold_groups_status_check CHECK (status = ANY (ARRAY['held', 'confirmed', 'released', 'expired']))
);
CREATE INDEX hold_groups_by_status ON hold_groups (org_id, status, id DESC);
CREATE INDEX hold_groups_held ON hold_groups (id) WHERE status = 'held';
ALTER TABLE hold_groups ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE ical_subscriptions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  agent_id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  url_sealed bytea NOT NULL,
  label text,
  status text DEFAULT 'active' NOT NULL,
  last_synced_at timestamptz,
  last_error text,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  digest_key_sealed bytea NOT NULL,
  etag text,
  last_modified text,
  body_digest bytea,
  expanded_at timestamptz,
  expanded_zone text,
  claim bigint DEFAULT 0 NOT NULL,
  next_sync_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  untold_added integer DEFAULT 0 NOT NULL,
  untold_changed integer DEFAULT 0 NOT NULL,
  untold_removed integer DEFAULT 0 NOT NULL,
  unread integer DEFAULT 0 NOT NULL,
  keep text[],
  CONSTRAINT ical_subscriptions_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT ical_subscriptions_org_id_agent_id_fkey FOREIGN KEY (org_id, agent_id) REFERENCES agents(org_id, id) ON DELETE CASCADE,
  CONSTRAINT ical_subscriptions_org_id_calendar_id_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT ical_subscriptions_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT ical_subscriptions_check CHECK ((status = 'error') = (last_error IS NOT NULL)),
  CONSTRAINT ical_subscriptions_check1 CHECK ((status = 'error') = (consecutive_failures > 0)),
  CONSTRAINT ical_subscriptions_consecutive_failures_check CHECK (consecutive_failures >= 0),
  CONSTRAINT ical_subscriptions_keep_check CHECK (keep <@ ARRAY['details', 'transparency'] AND keep <> '{}'::text[]),
  CONSTRAINT ical_subscriptions_status_check CHECK (status = ANY (ARRAY['active', 'error'])),
  CONSTRAINT ical_subscriptions_unread_check CHECK (unread >= 0)
);
CREATE INDEX ical_subscriptions_due ON ical_subscriptions (next_sync_at) WHERE next_sync_at IS NOT NULL;
CREATE INDEX ical_subscriptions_of_agent ON ical_subscriptions (org_id, agent_id, id DESC);
CREATE INDEX ical_subscriptions_stalest ON ical_subscriptions (status, last_synced_at) WHERE next_sync_at IS NOT NULL;

CREATE TABLE identities (
  issuer text NOT NULL,
  subject text NOT NULL,
  created_at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  CONSTRAINT identities_pkey PRIMARY KEY (account_id, issuer, subject),
  CONSTRAINT identities_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX identities_by_subject ON identities (issuer, subject);

CREATE TABLE invitations (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  email text NOT NULL,
  role text NOT NULL,
  token_hash bytea NOT NULL,
  status text NOT NULL,
  invited_by uuid NOT NULL,
  invited_by_email text NOT NULL,
  created_at timestamptz NOT NULL,
  sent_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  ended_at timestamptz,
  CONSTRAINT invitations_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT invitations_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT invitations_check CHECK ((status = 'pending') = (ended_at IS NULL)),
  CONSTRAINT invitations_email_check CHECK (email = lower(email)),
  CONSTRAINT invitations_role_check CHECK (role = ANY (ARRAY['owner', 'admin', 'developer', 'viewer'])),
  CONSTRAINT invitations_status_check CHECK (status = ANY (ARRAY['pending', 'accepted', 'revoked', 'expired'])),
  CONSTRAINT invitations_token_hash_check CHECK (length(token_hash) = 32)
);
CREATE INDEX invitations_by_end ON invitations (COALESCE(ended_at, expires_at));
CREATE UNIQUE INDEX invitations_by_token ON invitations (token_hash);
CREATE UNIQUE INDEX invitations_pending ON invitations (org_id, email) WHERE status = 'pending';

CREATE TABLE key_days (
  org_id uuid NOT NULL,
  key_id uuid NOT NULL,
  day date NOT NULL,
  events bigint NOT NULL,
  holds bigint NOT NULL,
  max_events bigint,
  max_holds bigint,
  seen_holds bigint,
  CONSTRAINT key_days_pkey PRIMARY KEY (org_id, key_id, day),
  CONSTRAINT key_days_events CHECK (events <= max_events),
  CONSTRAINT key_days_holds CHECK (holds <= max_holds),
  CONSTRAINT key_days_seen CHECK (seen_holds >= 0)
);
CREATE INDEX key_days_by_day ON key_days (day);

CREATE TABLE mails (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  kind text NOT NULL,
  content_sealed bytea,
  attempts smallint DEFAULT 0 NOT NULL,
  next_attempt_at timestamptz NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  about jsonb,
  CONSTRAINT mails_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT mails_content_check CHECK ((content_sealed IS NULL) <> (about IS NULL)),
  CONSTRAINT mails_kind_check CHECK (kind = ANY (ARRAY['verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out', 'connection_trouble', 'booking_confirmed', 'booking_moved', 'booking_cancelled', 'approval_requested', 'membership', 'invitation', 'security_notice']))
);
CREATE INDEX mails_due ON mails (next_attempt_at);
CREATE INDEX mails_oldest ON mails (created_at);

CREATE TABLE measurements (
  name text NOT NULL,
  labels jsonb NOT NULL,
  value double precision NOT NULL,
  measured_at timestamptz NOT NULL,
  CONSTRAINT measurements_pkey PRIMARY KEY (name, labels)
);

CREATE TABLE memberships (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  account_id uuid NOT NULL,
  role text NOT NULL,
  joined_at timestamptz NOT NULL,
  CONSTRAINT memberships_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT memberships_org_id_account_id_key UNIQUE (org_id, account_id),
  CONSTRAINT memberships_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT memberships_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT memberships_role_check CHECK (role = ANY (ARRAY['owner', 'admin', 'developer', 'viewer']))
);
CREATE INDEX memberships_of_account ON memberships (account_id);
CREATE TRIGGER erase_lonely_account AFTER DELETE ON memberships FOR EACH ROW EXECUTE FUNCTION erase_lonely_account();
CREATE TRIGGER revoke_invitations AFTER DELETE OR UPDATE OF role ON memberships FOR EACH ROW EXECUTE FUNCTION revoke_invitations();

CREATE TABLE missed_approvals (
  id uuid NOT NULL,
  CONSTRAINT approval_is_pending CHECK (id IS NULL)
);

CREATE TABLE organizations (
  id uuid NOT NULL,
  name text NOT NULL,
  email text NOT NULL,
  plan text NOT NULL,
  limits jsonb DEFAULT '{}' NOT NULL,
  rate_limit_per_second integer,
  verification_status text,
  signup_source text NOT NULL,
  email_verified boolean DEFAULT false NOT NULL,
  is_waitlisted boolean DEFAULT false NOT NULL,
  waitlisted_at timestamptz,
  accepted_terms_version text,
  accepted_terms_at timestamptz,
  revision bigint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  pages_closed_at timestamptz,
  shares_address boolean DEFAULT false NOT NULL,
  require_second_factor boolean DEFAULT false NOT NULL,
  CONSTRAINT organizations_pkey PRIMARY KEY (id),
  CONSTRAINT organizations_check CHECK ((plan = 'free-agent-unverified') = (NOT verification_status IS DISTINCT FROM 'unverified')),
  CONSTRAINT organizations_check1 CHECK (NOT is_waitlisted OR waitlisted_at IS NOT NULL),
  CONSTRAINT organizations_check2 CHECK ((accepted_terms_version IS NULL) = (accepted_terms_at IS NULL)),
  CONSTRAINT organizations_plan_check CHECK (plan = ANY (ARRAY['free', 'pro', 'custom', 'free-agent', 'free-agent-unverified'])),
  CONSTRAINT organizations_rate_limit_per_second_check CHECK (rate_limit_per_second > 0),
  CONSTRAINT organizations_signup_source_check CHECK (signup_source = ANY (ARRAY['admin', 'console', 'oauth', 'agent', 'waitlist'])),
  CONSTRAINT organizations_verification_status_check CHECK (verification_status = ANY (ARRAY['unverified', 'verified']))
);
CREATE INDEX organizations_by_email ON organizations (lower(email));
CREATE UNIQUE INDEX organizations_one_per_email ON organizations (lower(email)) WHERE signup_source <> 'admin' AND NOT shares_address;

CREATE TABLE password_resets (
  org_id uuid NOT NULL,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  account_id uuid,
  CONSTRAINT password_resets_pkey PRIMARY KEY (org_id, hash),
  CONSTRAINT password_resets_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT password_resets_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT password_resets_hash_check CHECK (length(hash) = 32)
);
CREATE INDEX password_resets_by_expiry ON password_resets (expires_at);
CREATE UNIQUE INDEX password_resets_by_hash ON password_resets (hash);
CREATE INDEX password_resets_of_account ON password_resets (account_id) WHERE account_id IS NOT NULL;

CREATE TABLE proposal_responses (
  org_id uuid NOT NULL,
  proposal_id uuid NOT NULL,
  agent_id uuid NOT NULL,
  id uuid NOT NULL,
  response text NOT NULL,
  selected_slot_id uuid,
  counter_slots jsonb NOT NULL,
  message text,
  created_at timestamptz NOT NULL,
  CONSTRAINT proposal_responses_pkey PRIMARY KEY (org_id, proposal_id, agent_id),
  CONSTRAINT proposal_responses_org_id_proposal_id_fkey FOREIGN KEY (org_id, proposal_id) REFERENCES proposals(org_id, id) ON DELETE CASCADE,
  CONSTRAINT proposal_responses_check CHECK (response <> 'accept' OR selected_slot_id IS NOT NULL),
  CONSTRAINT proposal_responses_response_check CHECK (response = ANY (ARRAY['accept', 'decline', 'counter']))
);

CREATE TABLE proposal_slots (
  org_id uuid NOT NULL,
  proposal_id uuid NOT NULL,
  id uuid NOT NULL,
  "position" smallint NOT NULL,
  start_time timestamptz NOT NULL,
  end_time timestamptz NOT NULL,
  weight double precision NOT NULL,
  calendar_id uuid,
  CONSTRAINT proposal_slots_pkey PRIMARY KEY (org_id, proposal_id, id),
  CONSTRAINT proposal_slots_org_id_proposal_id_fkey FOREIGN KEY (org_id, proposal_id) REFERENCES proposals(org_id, id) ON DELETE CASCADE,
  CONSTRAINT proposal_slots_check CHECK (end_time > start_time),
  CONSTRAINT proposal_slots_weight_check CHECK (weight >= 0::double precision AND weight <= 10::double precision)
);

CREATE TABLE proposals (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  title_sealed bytea NOT NULL,
  description_sealed bytea,
  organizer_agent_id uuid NOT NULL,
  participant_agent_ids uuid[] NOT NULL,
  calendar_id uuid NOT NULL,
  status text DEFAULT 'pending' NOT NULL,
  expires_at timestamptz,
  resolved_slot_id uuid,
  created_event_id uuid,
  cancel_reason text,
  metadata jsonb NOT NULL,
  revision bigint DEFAULT 0 NOT NULL,
  ended_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  details_sealed bytea,
  CONSTRAINT proposals_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT proposals_org_id_calendar_id_fkey FOREIGN KEY (org_id, calendar_id) REFERENCES calendars(org_id, id) ON DELETE CASCADE,
  CONSTRAINT proposals_cancel_reason_check CHECK (cancel_reason = ANY (ARRAY['organizer_cancelled', 'all_declined'])),
  CONSTRAINT proposals_check CHECK ((status = 'pending') = (ended_at IS NULL)),
  CONSTRAINT proposals_check1 CHECK ((status = 'confirmed') = (resolved_slot_id IS NOT NULL)),
  CONSTRAINT proposals_check2 CHECK ((status = 'confirmed') = (created_event_id IS NOT NULL)),
  CONSTRAINT proposals_check3 CHECK ((status = 'cancelled') = (cancel_reason IS NOT NULL)),
  CONSTRAINT proposals_check4 CHECK (status <> 'expired' OR expires_at IS NOT NULL),
  CONSTRAINT proposals_participant_agent_ids_check CHECK (cardinality(participant_agent_ids) >= 1 AND cardinality(participant_agent_ids) <= 50),
  CONSTRAINT proposals_status_check CHECK (status = ANY (ARRAY['pending', 'confirmed', 'expired', 'cancelled']))
);
CREATE INDEX proposals_by_organizer ON proposals (org_id, organizer_agent_id, id DESC);
CREATE INDEX proposals_by_status ON proposals (org_id, status, id DESC);
ALTER TABLE proposals ALTER COLUMN org_id SET (n_distinct=-0.001);

CREATE TABLE publication_lanes (
  org_id uuid NOT NULL,
  connection_id uuid NOT NULL,
  claim bigint DEFAULT 0 NOT NULL,
  claimed_until timestamptz,
  paced_until timestamptz DEFAULT '-infinity' NOT NULL,
  held_until timestamptz,
  CONSTRAINT publication_lanes_pkey PRIMARY KEY (org_id, connection_id)
);

CREATE TABLE publications (
  org_id uuid NOT NULL,
  destination_id uuid NOT NULL,
  event_id uuid NOT NULL,
  calendar_id uuid NOT NULL,
  state text NOT NULL,
  wanted bigint DEFAULT 1 NOT NULL,
  changed_at timestamptz NOT NULL,
  next_attempt_at timestamptz,
  attempts integer DEFAULT 0 NOT NULL,
  last_error text,
  generation integer DEFAULT 0 NOT NULL,
  copy text DEFAULT 'none' NOT NULL,
  ends_at timestamptz,
  content_digest bytea,
  shape_digest bytea,
  kept_sealed bytea,
  object_digest bytea,
  uid_digest bytea,
  is_leaving boolean DEFAULT false NOT NULL,
  CONSTRAINT publications_pkey PRIMARY KEY (org_id, destination_id, event_id),
  CONSTRAINT publications_attempts_check CHECK (attempts >= 0),
  CONSTRAINT publications_copy_check CHECK (copy = ANY (ARRAY['none', 'maybe', 'there', 'deleted'])),
  CONSTRAINT publications_last_error_check CHECK (last_error = ANY (ARRAY['rate_limited', 'unreachable', 'provider_error', 'unauthorized', 'forbidden', 'not_found', 'too_large', 'malformed'])),
  CONSTRAINT publications_state_check CHECK (state = ANY (ARRAY['queued', 'published', 'skipped', 'failed']))
);
CREATE INDEX publications_by_object ON publications (org_id, object_digest) WHERE object_digest IS NOT NULL;
CREATE INDEX publications_by_state ON publications (state, changed_at);
CREATE INDEX publications_by_uid ON publications (org_id, uid_digest) WHERE uid_digest IS NOT NULL;
CREATE INDEX publications_due ON publications (next_attempt_at) WHERE next_attempt_at IS NOT NULL;
CREATE INDEX publications_next ON publications (org_id, destination_id, next_attempt_at) WHERE next_attempt_at IS NOT NULL;

CREATE TABLE recovery_codes (
  account_id uuid NOT NULL,
  hash bytea NOT NULL,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (account_id, hash),
  CONSTRAINT recovery_codes_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE
);

CREATE TABLE refused_requests (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  at timestamptz NOT NULL,
  kept_until timestamptz NOT NULL,
  method text NOT NULL,
  path text NOT NULL,
  status smallint NOT NULL,
  type text NOT NULL,
  code text,
  param text,
  key_prefix text,
  actor_account text,
  agent_id uuid,
  ip text,
  duration_ms integer NOT NULL,
  CONSTRAINT refused_requests_pkey PRIMARY KEY (org_id, at, id, kept_until)
) PARTITION BY RANGE (kept_until);
CREATE INDEX refused_requests_by_code ON ONLY refused_requests (org_id, code, at, id) WHERE code IS NOT NULL;
CREATE INDEX refused_requests_by_id ON ONLY refused_requests (org_id, id);
CREATE INDEX refused_requests_by_key ON ONLY refused_requests (org_id, key_prefix, at, id) WHERE key_prefix IS NOT NULL;
CREATE INDEX refused_requests_by_status ON ONLY refused_requests (org_id, status, at, id);
CREATE TABLE refused_requests_default PARTITION OF refused_requests DEFAULT;

CREATE TABLE sessions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  generation integer DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  account_id uuid NOT NULL,
  second_factor boolean DEFAULT false NOT NULL,
  reauthenticated_at timestamptz,
  ip text,
  user_agent text,
  last_seen_at timestamptz,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT sessions_org_id_account_id_fkey FOREIGN KEY (org_id, account_id) REFERENCES memberships(org_id, account_id) ON DELETE CASCADE
);
CREATE INDEX sessions_by_expiry ON sessions (expires_at);
CREATE INDEX sessions_of_account ON sessions (account_id);
CREATE INDEX sessions_of_membership ON sessions (org_id, account_id);

CREATE TABLE sign_in_challenges (
  hash bytea NOT NULL,
  account_id uuid NOT NULL,
  generation integer NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT sign_in_challenges_pkey PRIMARY KEY (hash),
  CONSTRAINT sign_in_challenges_account_id_fkey FOREIGN KEY (account_id) REFERENCES accounts(id) ON DELETE CASCADE,
  CONSTRAINT sign_in_challenges_attempts_check CHECK (attempts >= 0 AND attempts <= 5)
);
CREATE INDEX sign_in_challenges_by_expiry ON sign_in_challenges (expires_at);
CREATE INDEX sign_in_challenges_of_account ON sign_in_challenges (account_id);

CREATE TABLE sweeps (
  source text NOT NULL,
  rung_until timestamptz NOT NULL,
  incarnation text NOT NULL,
  CONSTRAINT sweeps_pkey PRIMARY KEY (source)
);

CREATE TABLE terms_acceptances (
  id uuid NOT NULL,
  org_id uuid,
  version text NOT NULL,
  document_hash bytea NOT NULL,
  source text NOT NULL,
  ip text,
  user_agent text,
  accepted_at timestamptz NOT NULL,
  CONSTRAINT terms_acceptances_pkey PRIMARY KEY (id),
  CONSTRAINT terms_acceptances_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE SET NULL,
  CONSTRAINT terms_acceptances_document_hash_check CHECK (length(document_hash) = 32),
  CONSTRAINT terms_acceptances_source_check CHECK (source = ANY (ARRAY['console', 'oauth', 'agent', 'waitlist', 'key']))
);
CREATE INDEX terms_acceptances_of_organization ON terms_acceptances (org_id) WHERE org_id IS NOT NULL;

CREATE TABLE terms_publications (
  nth bigint GENERATED ALWAYS AS IDENTITY NOT NULL,
  version text NOT NULL,
  effective_at text NOT NULL,
  url text NOT NULL,
  material boolean NOT NULL,
  published_at timestamptz NOT NULL,
  CONSTRAINT terms_publications_pkey PRIMARY KEY (nth)
);

CREATE TABLE timers (
  org_id uuid NOT NULL,
  subject_id uuid NOT NULL,
  kind text NOT NULL,
  offset_minutes integer DEFAULT 0 NOT NULL,
  calendar_id uuid NOT NULL,
  occurrence_start timestamptz,
  due_at timestamptz NOT NULL,
  generation bigint NOT NULL,
  traceparent text,
  CONSTRAINT timers_pkey PRIMARY KEY (org_id, subject_id, kind, offset_minutes),
  CONSTRAINT timers_check CHECK ((kind = 'event_reminder') = (offset_minutes > 0)),
  CONSTRAINT timers_kind_check CHECK (kind = ANY (ARRAY['hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry', 'hold_group_expiry', 'approval_expiry']))
);
CREATE INDEX timers_due_at ON timers (due_at);

CREATE TABLE usage_counters (
  org_id uuid NOT NULL,
  period_start timestamptz NOT NULL,
  metric text NOT NULL,
  used bigint NOT NULL,
  CONSTRAINT usage_counters_pkey PRIMARY KEY (org_id, period_start, metric),
  CONSTRAINT usage_counters_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT usage_counters_used_check CHECK (used >= 0)
);

CREATE TABLE usage_rollups (
  org_id uuid NOT NULL,
  metric text NOT NULL,
  period_start timestamptz NOT NULL,
  used bigint NOT NULL,
  upto timestamptz NOT NULL,
  CONSTRAINT usage_rollups_pkey PRIMARY KEY (org_id, metric),
  CONSTRAINT usage_rollups_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT usage_rollups_used_check CHECK (used >= 0)
) WITH (fillfactor=50);

CREATE TABLE verification_codes (
  org_id uuid NOT NULL,
  hash_sealed bytea NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  CONSTRAINT verification_codes_pkey PRIMARY KEY (org_id),
  CONSTRAINT verification_codes_org_id_fkey FOREIGN KEY (org_id) REFERENCES organizations(id) ON DELETE CASCADE,
  CONSTRAINT verification_codes_attempts_check CHECK (attempts >= 0 AND attempts <= 10)
);

CREATE TABLE webhook_deliveries (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  change_id uuid NOT NULL,
  "position" smallint NOT NULL,
  event_type text NOT NULL,
  status text DEFAULT 'pending' NOT NULL,
  attempts smallint DEFAULT 0 NOT NULL,
  retry_schedule integer[] NOT NULL,
  last_attempt_at timestamptz,
  last_outcome text,
  last_http_status smallint,
  next_retry_at timestamptz,
  traceparent text,
  created_at timestamptz NOT NULL,
  seq bigint NOT NULL,
  last_duration_ms integer,
  attempt_log_sealed bytea,
  envelope boolean DEFAULT false NOT NULL,
  CONSTRAINT webhook_deliveries_check CHECK (status = 'pending' OR next_retry_at IS NULL),
  CONSTRAINT webhook_deliveries_check1 CHECK ((attempts = 0) = (last_attempt_at IS NULL))
) PARTITION BY LIST (status);
CREATE TRIGGER named_by_key BEFORE DELETE ON webhook_deliveries FOR EACH STATEMENT EXECUTE FUNCTION refuse_ctid();
CREATE TABLE webhook_deliveries_ended PARTITION OF webhook_deliveries FOR VALUES IN ('delivered', 'failed') PARTITION BY RANGE (change_id);
CREATE TABLE webhook_deliveries_ended_default PARTITION OF webhook_deliveries_ended DEFAULT;
CREATE TABLE webhook_deliveries_pending PARTITION OF webhook_deliveries FOR VALUES IN ('pending');
CREATE INDEX webhook_deliveries_by_id ON ONLY webhook_deliveries_ended (org_id, id);
CREATE INDEX webhook_deliveries_chain ON webhook_deliveries_pending (org_id, subscription_id, change_id, "position") WHERE status = 'pending';
CREATE INDEX webhook_deliveries_delivered ON ONLY webhook_deliveries_ended (org_id, subscription_id, change_id, "position") WHERE status = 'delivered';
CREATE INDEX webhook_deliveries_delivered_of_type ON ONLY webhook_deliveries_ended (org_id, subscription_id, event_type, change_id, "position") WHERE status = 'delivered';
CREATE INDEX webhook_deliveries_due ON webhook_deliveries_pending (next_retry_at) WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX webhook_deliveries_failed ON ONLY webhook_deliveries_ended (org_id, subscription_id, change_id, "position") WHERE status = 'failed';
CREATE INDEX webhook_deliveries_failed_of_type ON ONLY webhook_deliveries_ended (org_id, subscription_id, event_type, change_id, "position") WHERE status = 'failed';
CREATE UNIQUE INDEX webhook_deliveries_pending_pkey ON webhook_deliveries_pending (org_id, id);
CREATE INDEX webhook_deliveries_turn ON webhook_deliveries_pending (org_id, subscription_id, next_retry_at, change_id, "position") WHERE status = 'pending' AND next_retry_at IS NOT NULL;
CREATE INDEX webhook_deliveries_unspent ON ONLY webhook_deliveries_ended (org_id, id) INCLUDE (created_at) WHERE attempts = 0;

CREATE TABLE webhook_delivery_counts (
  org_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  delivered bigint DEFAULT 0 NOT NULL,
  failed bigint DEFAULT 0 NOT NULL,
  last_success_at timestamptz,
  last_failure_at timestamptz,
  last_failure_outcome text,
  last_failure_status smallint,
  CONSTRAINT webhook_delivery_counts_pkey PRIMARY KEY (org_id, subscription_id),
  CONSTRAINT webhook_delivery_counts_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES webhook_subscriptions(org_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_delivery_counts_delivered_check CHECK (delivered >= 0),
  CONSTRAINT webhook_delivery_counts_failed_check CHECK (failed >= 0)
) WITH (fillfactor=50);

CREATE TABLE webhook_health (
  org_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  stretch timestamptz NOT NULL,
  attempts integer NOT NULL,
  delivered integer NOT NULL,
  outcomes jsonb NOT NULL,
  ms_histogram integer[] NOT NULL,
  CONSTRAINT webhook_health_pkey PRIMARY KEY (org_id, subscription_id, stretch),
  CONSTRAINT webhook_health_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES webhook_subscriptions(org_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_health_check CHECK (delivered >= 0 AND delivered <= attempts)
) WITH (fillfactor=50);
CREATE INDEX webhook_health_age ON webhook_health USING brin (stretch) WITH (pages_per_range='32', autosummarize='on');

CREATE TABLE webhook_lanes (
  org_id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  owner uuid NOT NULL,
  claimed_until timestamptz NOT NULL,
  CONSTRAINT webhook_lanes_pkey PRIMARY KEY (org_id, subscription_id),
  CONSTRAINT webhook_lanes_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES webhook_subscriptions(org_id, id) ON DELETE CASCADE
) WITH (fillfactor=50);

CREATE TABLE webhook_replays (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  matched integer NOT NULL,
  progress integer DEFAULT 0 NOT NULL,
  change_ids uuid[] NOT NULL,
  positions integer[] NOT NULL,
  seqs bigint[] NOT NULL,
  delivery_ids uuid[] NOT NULL,
  next_run_at timestamptz,
  created_at timestamptz NOT NULL,
  CONSTRAINT webhook_replays_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT webhook_replays_org_id_subscription_id_fkey FOREIGN KEY (org_id, subscription_id) REFERENCES webhook_subscriptions(org_id, id) ON DELETE CASCADE,
  CONSTRAINT webhook_replays_check CHECK (progress >= 0 AND progress <= matched),
  CONSTRAINT webhook_replays_check1 CHECK (next_run_at IS NOT NULL OR progress = matched)
);
CREATE INDEX webhook_replays_due ON webhook_replays (next_run_at) WHERE next_run_at IS NOT NULL;
CREATE INDEX webhook_replays_of_subscription ON webhook_replays (org_id, subscription_id);
CREATE UNIQUE INDEX webhook_replays_running ON webhook_replays (org_id, subscription_id) WHERE next_run_at IS NOT NULL;

CREATE TABLE webhook_subscriptions (
  org_id uuid NOT NULL,
  id uuid NOT NULL,
  url_sealed bytea NOT NULL,
  url_hash bytea NOT NULL,
  events text[] NOT NULL,
  active boolean DEFAULT true NOT NULL,
  consecutive_failures integer DEFAULT 0 NOT NULL,
  first_failure_at timestamptz,
  secret_sealed bytea NOT NULL,
  deleted_at timestamptz,
  created_at timestamptz NOT NULL,
  updated_at timestamptz NOT NULL,
  secret_previous_sealed bytea,
  previous_expires_at timestamptz,
  standard boolean DEFAULT false NOT NULL,
  calendar_ids uuid[],
  agent_ids uuid[],
  headers_sealed bytea,
  envelope boolean DEFAULT false NOT NULL,
  CONSTRAINT webhook_subscriptions_pkey PRIMARY KEY (org_id, id),
  CONSTRAINT webhook_subscriptions_agent_ids_check CHECK (cardinality(agent_ids) > 0),
  CONSTRAINT webhook_subscriptions_calendar_ids_check CHECK (cardinality(calendar_ids) > 0),
  CONSTRAINT webhook_subscriptions_check CHECK ((consecutive_failures = 0) = (first_failure_at IS NULL)),
  CONSTRAINT webhook_subscriptions_check1 CHECK (deleted_at IS NULL OR NOT active),
  CONSTRAINT webhook_subscriptions_check2 CHECK ((secret_previous_sealed IS NULL) = (previous_expires_at IS NULL)),
  CONSTRAINT webhook_subscriptions_consecutive_failures_check CHECK (consecutive_failures >= 0),
  CONSTRAINT webhook_subscriptions_events_check CHECK (cardinality(events) > 0),
  CONSTRAINT webhook_subscriptions_url_hash_check CHECK (length(url_hash) = 32)
);
CREATE INDEX webhook_subscriptions_active ON webhook_subscriptions (org_id) WHERE active;
CREATE INDEX webhook_subscriptions_disabled ON webhook_subscriptions (consecutive_failures) WHERE NOT active AND deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_living ON webhook_subscriptions (org_id, id DESC) WHERE deleted_at IS NULL;
CREATE INDEX webhook_subscriptions_overlap ON webhook_subscriptions (previous_expires_at) WHERE previous_expires_at IS NOT NULL;
