-- migrate:up

create table availability_rules (
  org_id uuid not null,
  calendar_id uuid not null,
  id uuid not null,
  buffer_before_minutes smallint not null check (buffer_before_minutes between 0 and 120),
  buffer_after_minutes smallint not null check (buffer_after_minutes between 0 and 120),
  -- null: no restriction
  working_hours jsonb check (working_hours <> '{}'),
  timezone text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (org_id, calendar_id),
  foreign key (org_id, calendar_id) references calendars on delete cascade
);

-- migrate:down
