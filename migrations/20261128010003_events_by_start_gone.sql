-- migrate:up transaction:false

drop index concurrently if exists events_by_start;

-- migrate:down
