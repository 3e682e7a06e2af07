-- migrate:up transaction:false

alter table events validate constraint events_labelled;
alter table events validate constraint events_transparent;

-- migrate:down
