-- migrate:up

-- Day by day, so that the day that is being written waits for its own index alone.
do $$
declare
  name text;
begin
  for name in
    select c.relname from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'audit_entries'::regclass
    order by c.relname = 'audit_entries_' || to_char(now() at time zone 'UTC', 'YYYYMMDD'), c.relname
  loop
    execute format('create index on %I (org_id, request_id, created_at, id) where request_id is not null', name);
    execute format('create index on %I (org_id, agent_id, created_at, id) where agent_id is not null', name);
    execute format('create index on %I (org_id, resource, created_at, id) where resource is not null', name);
  end loop;
end $$;

-- These take over the indexes of the days.
-- the log of a request
create index audit_entries_by_request on audit_entries (org_id, request_id, created_at, id) where request_id is not null;
-- the log of an agent
create index audit_entries_by_agent on audit_entries (org_id, agent_id, created_at, id) where agent_id is not null;
-- the log of a record
create index audit_entries_by_resource on audit_entries (org_id, resource, created_at, id) where resource is not null;

-- migrate:down
