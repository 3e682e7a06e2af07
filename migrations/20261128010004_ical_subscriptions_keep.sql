-- migrate:up

-- the parts that a sync keeps of an event besides its title, description, times and status
alter table ical_subscriptions
  add column keep text[] check (keep <@ array['details', 'transparency'] and keep <> '{}');

-- migrate:down
