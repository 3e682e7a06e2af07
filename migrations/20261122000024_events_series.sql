-- migrate:up transaction:false

-- events_series_until has them
drop index concurrently events_series;

-- migrate:down
