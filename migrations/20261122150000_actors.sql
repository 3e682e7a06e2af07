-- migrate:up

-- The address of the account whose console session made a change; null where a key or the service itself did.
alter table audit_entries add column actor_account text;

-- Organizations accept terms with their key, too.
alter table terms_acceptances drop constraint terms_acceptances_source_check;
alter table terms_acceptances add constraint terms_acceptances_source_check
  check (source in ('console', 'oauth', 'agent', 'waitlist', 'key')) not valid;
alter table terms_acceptances validate constraint terms_acceptances_source_check;

-- migrate:down
