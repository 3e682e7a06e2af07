-- migrate:up

-- A person: until now an account was the one owner of one organization.
alter table accounts
  add column id uuid not null default uuidv7(),
  -- when access to the mail of the address was shown; null: not yet
  add column proven_at timestamptz,
  -- the organization that sign-ins begin in; null: the one joined first
  add column own_org_id uuid;
alter table accounts alter column id drop default;
update accounts a
set proven_at = a.created_at
from organizations o
where o.id = a.org_id and o.email_verified;

alter table identities add column account_id uuid;
update identities i set account_id = a.id from accounts a where a.org_id = i.org_id;
alter table sessions
  add column account_id uuid,
  -- passed with a second factor
  add column second_factor boolean not null default false,
  -- when the person last showed that they are who signed in
  add column reauthenticated_at timestamptz,
  add column ip text,
  add column user_agent text,
  add column last_seen_at timestamptz;
update sessions s set account_id = a.id from accounts a where a.org_id = s.org_id;
alter table password_resets add column account_id uuid;
update password_resets r set account_id = a.id from accounts a where a.org_id = r.org_id;

alter table accounts drop constraint accounts_pkey cascade, add primary key (id);
alter table identities
  drop column org_id,
  alter column account_id set not null,
  add primary key (account_id, issuer, subject),
  add foreign key (account_id) references accounts on delete cascade;

-- Who belongs to an organization, and as what.
create table memberships (
  org_id uuid not null references organizations on delete cascade,
  id uuid not null,
  account_id uuid not null references accounts on delete cascade,
  role text not null check (role in ('owner', 'admin', 'developer', 'viewer')),
  joined_at timestamptz not null,
  primary key (org_id, id),
  unique (org_id, account_id)
);
-- the organizations of an account, also when it is erased
create index memberships_of_account on memberships (account_id);
insert into memberships (org_id, id, account_id, role, joined_at)
select org_id, uuidv7(), id, 'owner', created_at from accounts;
alter table accounts
  drop column org_id,
  add foreign key (own_org_id, id) references memberships (org_id, account_id) on delete set null (own_org_id);

-- A session ends with the membership in its own organization.
alter table sessions
  drop constraint sessions_pkey,
  add primary key (id),
  alter column account_id set not null,
  add foreign key (account_id) references accounts on delete cascade,
  add foreign key (org_id, account_id) references memberships (org_id, account_id) on delete cascade;
-- the sessions of an account
create index sessions_of_account on sessions (account_id);
-- the sessions that end with a membership
create index sessions_of_membership on sessions (org_id, account_id);

-- null: the organization has no member yet, and the follower becomes its owner
alter table password_resets add foreign key (account_id) references accounts on delete cascade;
-- the links of an account
create index password_resets_of_account on password_resets (account_id) where account_id is not null;

-- An account without a membership is erased, whichever way the last one ends. The lock makes ends of two memberships, and an end and
-- a beginning, follow each other: the query after it sees what the other one did.
create function erase_lonely_account() returns trigger language plpgsql as $$
begin
  perform from accounts where id = old.account_id for update;
  delete from accounts a
  where a.id = old.account_id and not exists (select from memberships m where m.account_id = a.id);
  return null;
end $$;
create trigger erase_lonely_account after delete on memberships
for each row execute function erase_lonely_account();

-- Organizations that a member makes, and those whose address changes with their owners, may share an address.
alter table organizations add column shares_address boolean not null default false;
drop index organizations_one_per_email;
-- sign-up: one organization per address, whatever the race
create unique index organizations_one_per_email on organizations (lower(email))
  where signup_source <> 'admin' and not shares_address;

-- the member who connected the account; null: from before anybody signed up
alter table calendar_connections add column member_id uuid;
update calendar_connections c set member_id = m.id from memberships m where m.org_id = c.org_id;
-- the connections of a member
create index calendar_connections_of_member on calendar_connections (org_id, member_id);

-- the acting member and their role; null: no session acted
alter table audit_entries add column actor_member uuid, add column actor_role text;
-- the log with a member
create index audit_entries_by_member on audit_entries (org_id, actor_member, created_at, id) where actor_member is not null;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (
  kind in (
    'verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out', 'connection_trouble',
    'booking_confirmed', 'booking_moved', 'booking_cancelled', 'approval_requested', 'membership', 'invitation', 'security_notice'
  )
);

-- migrate:down
