-- migrate:up

-- How the last attempt failed: an outcome as calendar_delivery_attempts_total tells it, and the HTTP status when the
-- receiver answered. Null while none has failed, and for what was delivered.
alter table webhook_deliveries add column last_outcome text, add column last_http_status smallint;

-- migrate:down
