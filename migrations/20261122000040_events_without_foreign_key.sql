-- migrate:up

-- Every statement that inserts events locks the row of their calendar and finds it living, so nothing is left to check, and
-- the check costs each event a look into the calendars. An erasure deletes events before calendars. What comes after this
-- statement waits for it, so it waits for what runs already for a moment only; if it fails, migrate again.
set local lock_timeout = '5s';
alter table events drop constraint if exists events_org_id_calendar_id_fkey;

-- migrate:down
