-- migrate:up transaction:false

-- when the earliest step is due, for the sweeper
create index concurrently if not exists external_destinations_due on external_destinations (next_step_at)
  where next_step_at is not null;

-- migrate:down
