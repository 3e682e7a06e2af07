-- migrate:up

-- Plans are made for organizations with many rows. Where most have one calendar, Postgres would expect one of everybody: a plan for
-- any organization may then read all rows of a large one to find a single row of it. With a negative number, the count of
-- organizations is a share of the rows: each has 1,000 of them.
alter table agents alter column org_id set (n_distinct = -0.001);
alter table api_keys alter column org_id set (n_distinct = -0.001);
alter table bookings alter column org_id set (n_distinct = -0.001);
alter table calendars alter column org_id set (n_distinct = -0.001);
alter table events alter column org_id set (n_distinct = -0.001);
alter table hold_groups alter column org_id set (n_distinct = -0.001);
alter table proposals alter column org_id set (n_distinct = -0.001);

analyze agents, api_keys, bookings, calendars, events, hold_groups, proposals;

-- migrate:down
