-- migrate:up

-- How many deliveries of a subscription have ended, kept by every change of their status, so that a history's totals cost
-- nothing. Those that are pending are counted: they are few.
create table webhook_delivery_counts (
  org_id uuid not null,
  subscription_id uuid not null,
  delivered bigint not null default 0 check (delivered >= 0),
  failed bigint not null default 0 check (failed >= 0),
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade
) with (fillfactor = 50);

insert into webhook_delivery_counts (org_id, subscription_id, delivered, failed)
select org_id, subscription_id, count(*) filter (where status = 'delivered'), count(*) filter (where status = 'failed')
from webhook_deliveries where status <> 'pending' group by 1, 2;

-- The history, newest first: an index for each status, so that a delivery stands in one of them only. The one of those
-- that are pending, webhook_deliveries_chain, is there already.
create index webhook_deliveries_delivered on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'delivered';
create index webhook_deliveries_failed on webhook_deliveries (org_id, subscription_id, change_id, position)
  where status = 'failed';
drop index webhook_deliveries_history;
drop index webhook_deliveries_history_by_status;
-- rows come in the order of their time: a summary per block finds the old ones
drop index webhook_deliveries_age;
create index webhook_deliveries_age on webhook_deliveries using brin (created_at) with (pages_per_range = 32);

-- migrate:down
