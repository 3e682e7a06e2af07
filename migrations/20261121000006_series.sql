-- migrate:up

-- When the last occurrence of a series starts, cancelled or not; null while there is no end. From that moment on the
-- series no longer counts as active.
alter table events add column series_last_start timestamptz;
alter table events add check (recurrence_rule is not null or series_last_start is null);
-- A hold never recurs; what once was a hold, however it ended, may be edited into a series.
alter table events drop constraint events_check3;
alter table events add check (status <> 'hold' or recurrence_rule is null);

-- migrate:down
