-- migrate:up

-- place and call of the event that a proposal creates
alter table proposals
  add column details_sealed bytea;

-- migrate:down
