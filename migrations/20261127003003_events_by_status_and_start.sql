-- migrate:up transaction:false

drop index concurrently if exists events_by_status_and_start;

-- migrate:down
