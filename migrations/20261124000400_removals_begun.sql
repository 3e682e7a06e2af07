-- migrate:up

-- The removal of a copy has begun, and its end was not recorded: the copy may be gone, and it was not its human who removed it.
alter table publications add column is_leaving boolean not null default false;

-- migrate:down
