-- migrate:up transaction:false

-- events_apart has them; a release that still asks for them reads more of the calendar meanwhile, and answers the same
drop index concurrently if exists events_longer_than_a_week;

-- migrate:down
