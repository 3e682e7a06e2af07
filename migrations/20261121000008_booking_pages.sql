-- migrate:up

create table booking_pages (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  calendar_id uuid not null,
  -- who knows it may book
  slug text not null check (length(slug) >= 16),
  title text not null,
  description text,
  duration_minutes smallint not null check (duration_minutes between 5 and 480),
  buffer_minutes smallint not null check (buffer_minutes between 0 and 120),
  window_days smallint not null check (window_days between 1 and 365),
  min_notice_minutes integer not null check (min_notice_minutes between 0 and 40320),
  timezone text not null,
  -- weekly hours; null: any time
  availability_constraints jsonb check (availability_constraints <> '{}'),
  -- what its owner wants; it is open while its calendar can be written to as well
  active boolean not null,
  bookings_count integer not null default 0 check (bookings_count >= 0),
  -- counts the edits: who books writes where revision = seen
  revision bigint not null default 0,
  deleted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, id),
  foreign key (org_id, calendar_id) references calendars on delete cascade
);
-- guests come by the slug
create unique index booking_pages_by_slug on booking_pages (slug);
-- the list, newest first, and how many the plan's cap counts
create index booking_pages_living on booking_pages (org_id, id desc) where deleted_at is null;

-- migrate:down
