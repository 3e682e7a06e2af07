-- migrate:up transaction:false

-- the purge: events that were deleted long ago, of all organizations
create index concurrently if not exists events_deleted on events (deleted_at) where deleted_at is not null;

-- migrate:down
