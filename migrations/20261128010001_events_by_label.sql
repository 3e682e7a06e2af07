-- migrate:up transaction:false

create index concurrently if not exists events_by_label on events using gin (label_keys) where label_keys is not null;

-- migrate:down
