-- migrate:up

alter table events
  -- place, call, visibility, labels, colour and links
  add column details_sealed bytea,
  -- digests of the labels
  add column label_keys bytea[],
  -- it takes no time
  add column transparent boolean not null default false,
  add constraint events_labelled check (label_keys is null or details_sealed is not null) not valid,
  add constraint events_transparent check (not transparent or status <> 'hold') not valid;

-- migrate:down
