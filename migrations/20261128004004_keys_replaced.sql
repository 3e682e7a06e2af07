-- migrate:up transaction:false

-- the key that another one has replaced
create index concurrently if not exists api_keys_by_successor on api_keys (org_id, replaced_by)
  where replaced_by is not null and revoked_at is null;

-- migrate:down
