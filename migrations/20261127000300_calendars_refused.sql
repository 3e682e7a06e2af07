-- migrate:up
-- The provider answered for the account, and refused this calendar: it is unavailable at once, whatever the age of its copy.
alter table external_calendars add column is_refused boolean not null default false;

-- migrate:down
