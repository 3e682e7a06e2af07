-- migrate:up transaction:false

-- an organization has at most one primary key that can be used; a replaced one may be used until it ends
create unique index concurrently if not exists api_keys_one_primary on api_keys (org_id)
  where agent_id is null and is_primary and replaced_by is null and revoked_at is null;

-- migrate:down
