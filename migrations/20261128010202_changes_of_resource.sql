-- migrate:up

-- The history of an event. Moments are the most entries and have no place in it. Days that are made from now on have the index, and the
-- next migration adds it to those that are there.
create index if not exists changes_of_resource
  on only changes (org_id, resource_id, seq) where starts_at is null;

-- migrate:down
