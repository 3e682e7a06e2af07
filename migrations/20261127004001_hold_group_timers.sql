-- migrate:up

-- in a file of its own, so that timers can be written while it reads them
alter table timers validate constraint timers_kind_check;

-- migrate:down
