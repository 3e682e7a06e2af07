-- migrate:up transaction:false

-- the keys of an organization: the list, and how many there are
create index concurrently if not exists api_keys_own on api_keys (org_id, id)
  where agent_id is null and revoked_at is null;

-- migrate:down
