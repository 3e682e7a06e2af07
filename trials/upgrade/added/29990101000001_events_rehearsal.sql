-- migrate:up

-- Rehearsed by `npm run trial -- upgrade`: the table that every caller writes gets a column.
alter table events add column rehearsed boolean not null default false;

-- migrate:down
