-- migrate:up

alter table events
  -- by whose clock a series repeats; null: by UTC
  add column recurrence_timezone text,
  -- starts beside those of the rule, ascending
  add column recurrence_rdates timestamptz[] not null default '{}',
  -- by how much the rule's time lies before the start on that clock, because clocks skip it there: a series that was split may begin so
  add column recurrence_skipped_ms integer not null default 0,
  -- the original starts of the occurrences that have a row of their own
  add column overridden_starts timestamptz[] not null default '{}',
  -- Such a row is an event that happens once, for one occurrence of a series. It is no item of unexpanded lists, and counts nowhere.
  add column series_id uuid,
  add column original_start timestamptz,
  -- what it does not take from its series
  add column own_fields text[];

-- Not validated here, under a long lock: every row fits.
alter table events
  add constraint events_beside_rule check (
    recurrence_rule is not null
    or (recurrence_timezone is null and recurrence_rdates = '{}' and recurrence_skipped_ms = 0 and overridden_starts = '{}')
  ) not valid,
  add constraint events_occurrence check (
    (series_id is null) = (original_start is null)
    and (series_id is null) = (own_fields is null)
    and (series_id is null or (recurrence_rule is null and status <> 'hold' and source = 'internal'))
  ) not valid;

-- migrate:down
