-- migrate:up

-- Dates, time off, holidays and daily limits; null: none of them.
alter table availability_rules add column more jsonb check (more <> '{}');
-- The labels of dates and of time off.
alter table availability_rules add column labels_sealed bytea;

-- migrate:down
