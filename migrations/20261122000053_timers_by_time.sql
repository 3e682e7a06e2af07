-- migrate:up transaction:false

-- timers_due_at serves what it served
drop index concurrently if exists timers_by_time;

-- migrate:down
