-- migrate:up

-- The column takes its index along.
alter table events drop column rehearsed;

-- migrate:down
