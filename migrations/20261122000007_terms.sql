-- migrate:up

-- Every publication of the terms of service. The last one is in force.
create table terms_publications (
  nth bigint generated always as identity primary key,
  version text not null,
  -- a date or a datetime, as it was given
  effective_at text not null,
  url text not null,
  material boolean not null,
  published_at timestamptz not null
);
insert into terms_publications (version, effective_at, url, material, published_at)
values ('2026-11-01', '2026-11-01', 'https://agent-calendar.example/terms/2026-11-01', false, '2026-11-01T00:00:00Z');

-- Who accepted which version, and how. An acceptance outlives its organization.
create table terms_acceptances (
  id uuid primary key,
  org_id uuid references organizations on delete set null,
  version text not null,
  -- SHA-256 of the manifest in force
  document_hash bytea not null check (length(document_hash) = 32),
  source text not null check (source in ('console', 'oauth', 'agent', 'waitlist', 'key')),
  ip text,
  user_agent text,
  accepted_at timestamptz not null
);
-- the acceptances of an organization: its export, and the foreign key when the organization is deleted
create index terms_acceptances_of_organization on terms_acceptances (org_id) where org_id is not null;

-- migrate:down
