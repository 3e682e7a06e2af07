-- migrate:up

-- Whom an entry concerns beside its agent: the participants of a proposal. Subscriptions may ask for those of an agent.
alter table changes add column participant_ids uuid[];

-- migrate:down
