-- migrate:up transaction:false

-- no query: an index is built while events are written
create index concurrently if not exists events_rehearsed on events (org_id, id) where rehearsed;

-- migrate:down
