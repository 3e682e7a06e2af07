-- migrate:up

-- counts the organizations that it has made: one more is made only at the number that was read
alter table accounts add column revision bigint not null default 0;

-- The members of a deleted organization get a mail after its row is gone. All else that waited for it is deleted with it.
alter table mails drop constraint mails_org_id_fkey;

-- migrate:down
