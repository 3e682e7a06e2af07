-- migrate:up

-- Reads the table without keeping anybody out.
alter table webhook_deliveries validate constraint webhook_deliveries_payload;

-- migrate:down
