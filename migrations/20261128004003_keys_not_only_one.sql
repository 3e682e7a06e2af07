-- migrate:up transaction:false

-- it allowed an organization only one key
drop index concurrently if exists api_keys_one_organization_key;

-- migrate:down
