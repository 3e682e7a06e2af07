-- migrate:up transaction:false

-- events_series_until has them
drop index concurrently if exists events_series;

-- migrate:down
