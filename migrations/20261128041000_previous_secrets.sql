-- migrate:up

-- the hourly purge of secrets whose overlap is over
create index webhook_subscriptions_overlap on webhook_subscriptions (previous_expires_at) where previous_expires_at is not null;

-- migrate:down
