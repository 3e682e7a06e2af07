-- migrate:up

alter table events validate constraint events_beside_rule;
alter table events validate constraint events_occurrence;

-- migrate:down
