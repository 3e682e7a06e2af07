-- migrate:up transaction:false

-- A killed attempt of the next migration leaves an invalid index behind.
drop index concurrently if exists bookings_by_page;

-- migrate:down
