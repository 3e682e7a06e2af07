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
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade
);
-- a guest: the page of a slug
create unique index booking_pages_by_slug_hash on booking_pages (slug_hash);
-- the list, newest first, and how many the plan's cap counts
create index booking_pages_living on booking_pages (org_id, id desc) where deleted_at is null;

-- migrate:down
