-- migrate:up

-- Up to when the wake-ups of each source of due rows are in Redis, and in which memory of Redis: another incarnation has
-- forgotten them.
create table sweeps (
  source text primary key,
  rung_until timestamptz not null,
  incarnation text not null
);

-- migrate:down
