-- migrate:up

-- Counts how often an account's sessions were ended all at once. A session counts while it is of the account's generation,
-- so that a sign-in that is under way at that moment opens none that outlives it.
alter table accounts add column generation integer not null default 0;
alter table sessions add column generation integer not null default 0;

-- The link that proves the address of a sign-up, and what a proof switched off.
alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check check (
  kind in ('verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out'));

-- migrate:down
