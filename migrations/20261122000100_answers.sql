-- migrate:up

-- what a request with an Idempotency-Key was answered: asked again, it is answered the same
create table answers (
  -- zeros: of the administrator
  org_id uuid not null,
  -- of the key and of whose key it is
  id uuid not null,
  fingerprint bytea not null check (length(fingerprint) = 32),
  status smallint not null,
  answer_sealed bytea not null,
  request_id uuid not null,
  created_at timestamptz not null,
  primary key (org_id, id)
) with (autovacuum_vacuum_scale_factor = 0.05);
-- the purge: rows come in the order of their time
create index answers_by_time on answers using brin (created_at) with (pages_per_range = 16, autosummarize = on);

-- migrate:down
