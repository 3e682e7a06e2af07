-- migrate:up
-- Since when an operator keeps the organization's public pages closed; null: they are open.
alter table organizations add column pages_closed_at timestamptz;

-- migrate:down
