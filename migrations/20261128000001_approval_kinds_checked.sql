-- migrate:up

-- in a file of its own, so that both tables can be written while it reads them
alter table timers validate constraint timers_kind_check;
alter table mails validate constraint mails_kind_check;

-- migrate:down
