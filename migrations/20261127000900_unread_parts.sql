-- What of a foreign calendar cannot be read is counted and shown.

-- migrate:up
alter table ical_subscriptions add column unread integer not null default 0 check (unread >= 0);
alter table external_calendars add column has_unread boolean not null default false;

-- migrate:down
