-- migrate:up

-- The clock of the service inside statements. Tests replace it with a clock that they set. Postgres inlines it: it costs nothing.
create function app_now() returns timestamptz language sql stable parallel safe as 'select now()';

-- migrate:down
