-- migrate:up

-- counts the changes to the calendar's holds: whoever places one writes where it is still the one it decided by
alter table calendars add column holds_revision bigint not null default 0;

-- migrate:down
