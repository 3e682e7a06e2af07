-- migrate:up

-- Invitations to an organization. The secret of one is in the mailed link; here only its digest is kept.
create table invitations (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  -- trimmed and in lower case: only the account of this address accepts it
  email text not null check (email = lower(email)),
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  -- SHA-256 of the token in the mailed link; another link replaces it
  token_hash bytea not null check (length(token_hash) = 32),
  -- one whose time is over is shown as expired; it is stored as such once another takes its place
  status text not null check (status in ('pending', 'accepted', 'revoked', 'expired')),
  -- the member who sent the link, and their address, which outlives the membership
  invited_by uuid not null,
  invited_by_email text not null,
  created_at timestamptz not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  -- when it was accepted, revoked or replaced
  ended_at timestamptz,
  primary key (org_id, id),
  check ((status = 'pending') = (ended_at is null))
);
-- a link that somebody follows
create unique index invitations_by_token on invitations (token_hash);
-- an address is invited once at a time; the count of taken seats
create unique index invitations_pending on invitations (org_id, email) where status = 'pending';
-- the purge: those that ended long ago
create index invitations_by_end on invitations (coalesce(ended_at, expires_at));

-- The pending invitations of a member who could no longer make them are revoked, however the member leaves or loses a role.
create function revoke_invitations() returns trigger language plpgsql as $$
begin
  update invitations i
  set status = 'revoked', ended_at = app_now()
  where i.org_id = old.org_id and i.invited_by = old.id and i.status = 'pending' and i.expires_at > app_now()
    and (
      tg_op = 'DELETE'
      or new.role not in ('owner', 'admin')
      or (new.role = 'admin' and i.role = 'owner')
    );
  return null;
end $$;
create trigger revoke_invitations after delete or update of role on memberships
for each row execute function revoke_invitations();

-- migrate:down
