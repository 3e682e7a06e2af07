-- migrate:up

-- What an agent key may do beyond its scope, as the organization wrote it. Null: whatever its agent may.
alter table api_keys add column guardrails jsonb;

-- migrate:down
