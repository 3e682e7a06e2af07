-- migrate:up transaction:false

-- when the earliest copy is due, for the sweeper
create index concurrently if not exists publications_due on publications (next_attempt_at) where next_attempt_at is not null;

-- migrate:down
