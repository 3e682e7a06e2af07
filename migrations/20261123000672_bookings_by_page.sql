-- migrate:up transaction:false

-- the removal of a calendar: the bookings of its pages; the removal of a page
create index concurrently if not exists bookings_by_page on bookings (org_id, page_id);

-- migrate:down
