-- migrate:up

create table booking_pages (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  calendar_id uuid not null,
  -- whoever knows the slug may book: it is found by its hash and shown from its sealed form
  slug_hash bytea not null check (length(slug_hash) = 32),
  slug_sealed bytea not null,
  title text not null,
  description text,
  duration_minutes smallint not null check (duration_minutes between 5 and 480),
  buffer_minutes smallint not null check (buffer_minutes between 0 and 120),
  window_days smallint not null check (window_days between 1 and 365),
  min_notice_minutes integer not null check (min_notice_minutes between 0 and 40320),
  timezone text not null,
  -- weekly hours; null: any time
  availability_constraints jsonb check (availability_constraints <> '{}'),
  -- what its owner wants; the page is open only while its calendar can be written to as well
  active boolean not null,
  bookings_count integer not null default 0 check (bookings_count >= 0),
  -- counts the edits: a booking is written only if the revision is still the one that was read
  revision bigint not null default 0,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  -- what it says and asks beyond the rest (host, place, questions, sites that may embed it); only what is used
  details jsonb not null default '{}',
  -- a readable address beside the secret one
  vanity_slug text check (vanity_slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$' and length(vanity_slug) between 3 and 64),
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade
);
-- a guest: the page of a slug
create unique index booking_pages_by_slug_hash on booking_pages (slug_hash);
-- a guest: the page of a readable address; a removed page gives its address back
create unique index booking_pages_by_vanity_slug on booking_pages (vanity_slug)
  where vanity_slug is not null and deleted_at is null;
-- the list, newest first, and how many the plan's cap counts
create index booking_pages_living on booking_pages (org_id, id desc) where deleted_at is null;

-- What a guest needs to come back to a booking. Its event is the truth: without it the booking is cancelled.
create table bookings (
  org_id uuid not null references organizations on delete cascade,
  -- that of the event
  id uuid not null,
  page_id uuid not null,
  -- whoever knows the token may cancel and move the booking: it is found by its hash
  token_hash bytea not null check (length(token_hash) = 32),
  -- name, address, language and zone of the guest, and the token, for a form that is sent again
  guest_sealed bytea not null,
  -- as the guest last chose them
  start_time timestamptz not null,
  end_time timestamptz not null,
  -- how often the guest has moved it: each time is a mail
  moves smallint not null default 0 check (moves >= 0),
  created_at timestamptz not null,
  -- how often it was changed other than by a move of the guest: with `moves` it is the SEQUENCE of the guests' calendar files
  other_changes integer not null default 0 check (other_changes >= 0),
  -- how many further guests get the mails; who they are is in `guest_sealed`
  others smallint not null default 0 check (others between 0 and 20),
  primary key (org_id, id),
  foreign key (org_id, page_id) references booking_pages on delete cascade
);
-- a guest: the booking of a token
create unique index bookings_by_token_hash on bookings (token_hash);
-- the purge: which are long over
create index bookings_by_end on bookings (end_time);
-- the removal of a calendar: the bookings of its pages; the removal of a page
create index bookings_by_page on bookings (org_id, page_id);

-- migrate:down
