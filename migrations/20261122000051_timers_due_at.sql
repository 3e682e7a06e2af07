-- migrate:up transaction:false

-- the engine: the timers that are due; the sweeper: the seconds that enter its horizon; the gauges of due timers
create index concurrently if not exists timers_due_at on timers (due_at);

-- migrate:down
