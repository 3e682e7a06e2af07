-- migrate:up

-- {"timeout": 2} and {"timeout": 1, "refused": 4}: {"timeout": 3, "refused": 4}
create function add_counts(a jsonb, b jsonb) returns jsonb language sql immutable strict parallel safe return
  case
    when b = '{}' then a
    when a = '{}' then b
    else (
      select jsonb_object_agg(name, total)
      from (
        select name, sum(count::bigint) as total
        from (select * from jsonb_each_text(a) union all select * from jsonb_each_text(b)) counts (name, count)
        group by name) totals)
  end;

-- element by element; what one list lacks counts as 0
create function add_each(a integer[], b integer[]) returns integer[] language sql immutable strict parallel safe return
  array(
    select coalesce(x, 0) + coalesce(y, 0)
    from unnest(a, b) with ordinality as pairs (x, y, nth)
    order by nth);

-- migrate:down
