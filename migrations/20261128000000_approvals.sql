-- migrate:up

-- Requests of agent keys that a person decides. No foreign key to organizations: an account is deleted at once, its approvals in blocks
-- (see erasures).
create table approvals (
  org_id uuid not null,
  id uuid not null,
  key_id uuid not null,
  key_prefix text not null,
  agent_id uuid not null,
  -- the calendar that it is about; null for several, or for none
  calendar_id uuid,
  action text not null,
  -- the request as it was sent, and its description
  request_sealed bytea not null,
  -- of the text before it was sealed: only the request that was shown runs
  request_hash bytea not null check (length(request_hash) = 32),
  approver text not null check (approver in ('session', 'link')),
  -- of the secret in the mailed address
  token_hash bytea check (length(token_hash) = 32),
  status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'expired', 'failed')),
  -- the reason and the answer
  result_sealed bytea,
  expires_at timestamptz not null,
  decided_at timestamptz,
  created_at timestamptz not null,
  primary key (org_id, id),
  check ((approver = 'link') = (token_hash is not null)),
  check ((status = 'pending') = (decided_at is null))
);
-- the page behind a mailed address
create unique index approvals_by_token on approvals (token_hash) where token_hash is not null;
-- the page that opens after signing in, which knows no organization yet
create index approvals_by_id on approvals (id) where approver = 'session';
-- the list of an agent key, newest first
create index approvals_of_agent on approvals (org_id, agent_id, id desc);
-- the list of an organization with a status
create index approvals_by_status on approvals (org_id, status, id desc);
-- the gauge of those that wait
create index approvals_pending on approvals (id) where status = 'pending';
-- the gauge of those that were decided lately
create index approvals_decided on approvals (decided_at, status) where decided_at is not null;

-- The statement of an approved change inserts a row here if the approval is no longer pending. No row may enter, so the whole statement
-- fails.
create table missed_approvals (
  id uuid not null,
  constraint approval_is_pending check (id is null)
);

-- how many approvals of the key wait
alter table api_keys
  add column pending_approvals integer not null default 0 constraint api_keys_pending_approvals check (pending_approvals between 0 and 100);

alter table timers drop constraint timers_kind_check;
alter table timers add constraint timers_kind_check
  check (kind in ('hold_expiry', 'event_start', 'event_end', 'event_reminder', 'proposal_expiry', 'hold_group_expiry', 'approval_expiry')) not valid;

alter table mails drop constraint mails_kind_check;
alter table mails add constraint mails_kind_check
  check (kind in ('verification_code', 'password_reset', 'activation', 'waitlist', 'address_proof', 'locked_out', 'connection_trouble',
    'booking_confirmed', 'booking_moved', 'booking_cancelled', 'approval_requested', 'membership', 'invitation', 'security_notice')) not valid;

-- migrate:down
