-- migrate:up

-- Which worker process serves a subscription: the only one that claims its deliveries, until its lease ends. A row stays when
-- it is given back, so that taking it again is an update in place.
create table webhook_lanes (
  org_id uuid not null,
  subscription_id uuid not null,
  owner uuid not null,
  until timestamptz not null,
  primary key (org_id, subscription_id),
  foreign key (org_id, subscription_id) references webhook_subscriptions on delete cascade
) with (fillfactor = 50);

-- migrate:down
