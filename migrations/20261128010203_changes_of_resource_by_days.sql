-- migrate:up transaction:false

-- One day after the other, each in a transaction of its own: the writes of today wait for the entries of today alone.
do $$
declare
  part regclass;
  name text;
begin
  for part in select inhrelid::regclass from pg_inherits where inhparent = 'changes'::regclass order by 1 loop
    continue when exists (
      select from pg_index i
      join pg_inherits h on h.inhrelid = i.indexrelid
      where i.indrelid = part and h.inhparent = 'changes_of_resource'::regclass);
    name := part || '_of_resource';
    execute format('create index if not exists %I on %s (org_id, resource_id, seq) where starts_at is null', name, part);
    execute format('alter index changes_of_resource attach partition %I', name);
    commit;
  end loop;
end $$;

-- migrate:down
