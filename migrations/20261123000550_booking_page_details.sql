-- migrate:up

-- `details`: what a page says and asks beyond the rest (host, place, questions, sites that may embed it); only what is used
alter table booking_pages
  add column details jsonb not null default '{}',
  -- a readable address beside the secret one
  add column vanity_slug text check (vanity_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(vanity_slug) between 3 and 64);
-- a guest: the page of a readable address; a removed page gives its address back
create unique index booking_pages_by_vanity_slug on booking_pages (vanity_slug)
  where vanity_slug is not null and deleted_at is null;

-- migrate:down
