-- migrate:up

-- Nobody chooses a shard: a wake-up is for a whole second. Processes of the release before still insert and read the column,
-- and a wake-up tells them shard 0. The release after this one drops it.
alter table timers alter column shard set default 0;

-- migrate:down
