-- migrate:up

-- lists of imported events, and how many there are: the calendar's counts tell only of the others
create index events_imported on events (org_id, calendar_id, status, start_time, id)
  where source = 'external_ical' and deleted_at is null;

-- migrate:down
