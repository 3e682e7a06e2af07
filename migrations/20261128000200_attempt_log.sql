-- migrate:up

-- How the attempts of a delivery went, and how each answer began, which may repeat what was sent; null: none has ended.
alter table webhook_deliveries add column attempt_log_sealed bytea;

-- migrate:down
