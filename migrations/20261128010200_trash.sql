-- migrate:up transaction:false

-- the deleted events of a calendar, the latest first
create index concurrently if not exists events_trash
  on events (org_id, calendar_id, deleted_at, id)
  where deleted_at is not null and series_id is null and source = 'internal' and status <> 'hold';

-- migrate:down
