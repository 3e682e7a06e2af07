-- migrate:up

-- A link whose time is up ends as any other: it is told once.
alter table connection_links
  drop constraint connection_links_status_check,
  add constraint connection_links_status_check
    check (status in ('awaiting_human', 'in_progress', 'completed', 'declined', 'expired', 'cancelled'));

-- those that expired earlier are not told; one that made a connection still has to remove it
update connection_links l
set status = 'expired', ended_at = l.expires_at
where l.ended_at is null and l.expires_at <= now()
  and not exists (select from calendar_connections n where n.org_id = l.org_id and n.made_by_link = l.id);

-- links that are due to expire
create index connection_links_due on connection_links (expires_at) where ended_at is null;

-- migrate:down
