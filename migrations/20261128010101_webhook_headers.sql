-- migrate:up

-- Headers of the receiver, as JSON; and whether deliveries come inside an envelope. A delivery keeps the form it was made in: its
-- bytes are the same at each attempt.
alter table webhook_subscriptions
  add column headers_sealed bytea,
  add column envelope boolean not null default false;

alter table webhook_deliveries
  add column envelope boolean not null default false;

-- migrate:down
